/** What a call asks for, in plain words on one line. Ids are told as the names of what they stand for, never as they are. */
import type { Source, Step } from "~/api/types";
import type { Translator } from "~/i18n";
import { showControls } from "./controls";
import { readResult } from "./stepResult";

const id = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** A document, and where in it. */
export function placeWords(at: { document: string; page?: number | null; section?: string[] }, t: Translator): string {
  return [at.document, at.page ? t("source.page", { page: at.page }) : "", at.section?.at(-1) ?? ""].filter(Boolean).join(" · ");
}

export function argumentLine(step: Step, t: Translator, sources: Source[] = []): string {
  const given: Record<string, unknown> = step.arguments ?? {};
  return showControls((lines[step.tool] ?? otherLine)(given, { step, t, sources }).filter(Boolean).join(" · "));
}

interface Situation { step: Step; t: Translator; sources: Source[] }
type Line = (given: Record<string, unknown>, situation: Situation) => string[];

const word = (value: unknown) => (typeof value === "string" && !id.test(value) ? value : typeof value === "number" ? String(value) : "");
const list = (value: unknown) => (Array.isArray(value) ? value.map(word).filter(Boolean).join(", ") : word(value));

/** How many were found, once that is known: not how many were asked for. A result that was cut does not tell it. */
function found({ step, t }: Situation): string {
  const read = step.status === "succeeded" ? readResult(step.preview) : null;
  if (!read?.whole) return "";
  if (read.result.kind === "hits") return t("doc.passages", { count: read.result.hits.length });
  return read.result.kind === "web" ? t("step.results", { count: read.result.results.length }) : "";
}

const lines: Record<string, Line> = {
  search_documents: ({ query, k: _, ...rest }, situation) => [word(query), found(situation), ...otherLine(rest, situation)],
  get_chunk: (given, { step, t, sources }) => {
    const source = sources.find((item) => item.chunk_id === given.chunk_id || item.n === Number(given.n ?? given.chunk_id));
    if (source) return [placeWords({ document: source.document_name, page: source.page, section: source.section }, t)];
    const read = readResult(step.preview)?.result;
    return [read?.kind === "text" ? placeWords(read, t) : ""];
  },
  summarise_chunks: ({ chunk_ids: chunks, focus }, { t }) => [Array.isArray(chunks) ? t("doc.passages", { count: chunks.length }) : "", word(focus)],
  read_document: ({ document_id: document, name, offset }, { step, t, sources }) => {
    const read = readResult(step.preview)?.result;
    const known = sources.find((item) => item.document_id === document)?.document_name;
    return [word(name) || known || (read?.kind === "text" ? read.document : ""), typeof offset === "number" && offset > 0 ? t("step.from", { offset }) : ""];
  },
  list_documents: ({ knowledge_base: base, offset }, { t }) => [word(base), typeof offset === "number" && offset > 0 ? t("step.after", { count: offset }) : ""],
  calculate: ({ expression }) => [word(expression)],
  get_current_datetime: ({ timezone }) => [word(timezone)],
  web_search: ({ query }, situation) => [word(query), found(situation)],
  read_url: ({ url }) => [word(url)],
};

/** A lone text stands for itself, others as `name: value`. */
const otherLine: Line = (given) => {
  const entries = Object.entries(given).map(([name, value]) => [name.replaceAll("_", " "), list(value) || (typeof value === "boolean" ? String(value) : isPlain(value) ? JSON.stringify(value) : "")] as const).filter(([, value]) => value !== "");
  const only = entries[0];
  return only && entries.length === 1 && Object.keys(given).length === 1 ? [only[1]] : entries.map(([name, value]) => `${name}: ${value}`);
};

const isPlain = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
