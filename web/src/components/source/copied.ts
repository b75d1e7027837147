/** An answer as it is copied: its text without what the page says beside it, and the sources that its numbers stand for. */
import type { Source } from "~/api/types";
import type { Translator } from "~/i18n";
import { citedNumbers } from "~/state/citations";
import { withoutNote } from "~/state/modelNote";
import { place } from "./place";

export function copiedAnswer(text: string, sources: Source[], t: Translator): string {
  const answer = withoutNote(text).trimEnd();
  const cited = citedNumbers(answer);
  const lines = sources.filter((source) => cited.has(source.n)).map((source) => `[${source.n}] ${[source.document_name, place(source, t)].filter(Boolean).join(", ")}`);
  return lines.length ? `${answer}\n\n${t("source.title")}:\n${lines.join("\n")}` : answer;
}
