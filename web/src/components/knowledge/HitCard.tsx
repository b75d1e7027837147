/** One passage found by a search: its text with the words marked, where it stands, its scores. */
import { useMemo } from "react";
import type { Hit } from "~/api/types";
import { ScoreBar } from "~/components/source/ScoreBar";
import { place } from "~/components/source/place";
import { useT } from "~/i18n";
import { whole } from "~/state/joined";
import { markWords } from "~/state/markWords";
import { plain } from "~/state/plain";
import css from "./HitCard.module.css";

const room = 5;

/** A long passage from the sentence on in which the first word of the query stands, of many lines those that hold one: what was found is in view. */
function around(text: string, query: string): string {
  const lines = text.split("\n");
  const held = lines.length > room ? lines.flatMap((line, at) => (markWords(line, query).some((piece) => piece.marked) ? [at] : [])) : [];
  if (held.length > 1 && held.length < lines.length) return held.map((at, index) => (at > 0 && held[index - 1] !== at - 1 ? `… ${lines[at]}` : lines[at])).join("\n");
  let before = 0;
  for (const piece of markWords(text, query)) {
    if (piece.marked) break;
    before += piece.text.length;
  }
  if (before < 160 || before >= text.length) return text;
  const begin = Math.max(text.lastIndexOf("\n", before), text.lastIndexOf(". ", before) + 1, before - 160);
  return `…${text.slice(begin).trimStart()}`;
}

export function HitCard({ hit, query, current, onOpen }: { hit: Hit; query: string; current: boolean; onOpen: () => void }) {
  const t = useT();
  const pieces = useMemo(() => markWords(around(plain(hit.text), query), query), [hit.text, query]);
  const where = place({ page: hit.page, section: hit.section, fact_id: hit.fact_id }, t);
  const score = (value: number) => t.number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const parts = [
    hit.keyword_score !== null && hit.keyword_score !== undefined ? `${t("search.scoreKeyword")} ${score(hit.keyword_score)}` : null,
    hit.vector_score !== null && hit.vector_score !== undefined ? `${t("search.scoreVector")} ${score(hit.vector_score)}` : null,
  ].filter(Boolean);
  return (
    <button type="button" className={css.hit} aria-current={current || undefined} onClick={onOpen}>
      <span className={css.head}><span className={css.name} dir="auto">{hit.document_name}</span><ScoreBar score={hit.score} /></span>
      {where && <span className={css.place} dir="auto">{where}</span>}
      <span className={css.text} dir="auto">{pieces.map((piece, index) => (piece.marked ? <mark key={index}>{piece.text}</mark> : whole(piece.text)))}</span>
      {parts.length > 0 && <span className={css.scores}>{parts.join(" · ")}</span>}
    </button>
  );
}
