/** A fact that is a source: all of it, the sentences that back the answer marked. */
import { useChunk } from "~/hooks/data";
import type { Source } from "~/api/types";
import { textBlocks } from "~/state/textLines";
import { Blocks } from "./Blocks";
import css from "./SourcePanel.module.css";

export function FactView({ source }: { source: Source }) {
  const fact = useChunk(source.chunk_id);
  const quotes = source.quotes ?? [];
  const text = fact.data?.text ?? source.quote;
  const start = fact.data?.start ?? source.start;
  const whole = { start, end: start + text.length };
  return <blockquote className={css.fact}><Blocks blocks={textBlocks(text, start, { passage: whole, quotes: fact.data && quotes.length ? quotes : [whole] })} /></blockquote>;
}
