/** What a tool gave back, read from its JSON by its shape: a list of passages, a text, a calculation; anything else as it is. */
import { readJson } from "./cutJson";

export interface HitRow { n: number | null; document: string; page: number | null; section: string[]; score: number | null; excerpt: string }
export interface DocumentRow { name: string; base: string; type: string; size: number | null; status: string }
export interface WebRow { title: string; url: string; snippet: string }

export type StepResult =
  | { kind: "hits"; hits: HitRow[]; note: string }
  | { kind: "text"; document: string; page: number | null; section: string[]; text: string }
  | { kind: "calculation"; expression: string; result: string }
  | { kind: "clock"; datetime: string; timezone: string }
  | { kind: "documents"; documents: DocumentRow[] }
  | { kind: "web"; results: WebRow[] }
  | { kind: "other"; value: unknown };

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
const number = (value: unknown) => (typeof value === "number" ? value : null);
const rows = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const section = (value: unknown) => (Array.isArray(value) ? value.map(text).filter(Boolean) : []);

const hit = (row: Fields): HitRow => ({ n: number(row.n), document: text(row.document), page: number(row.page), section: section(row.section), score: number(row.score), excerpt: text(row.excerpt) });
const document = (row: Fields): DocumentRow => ({ name: text(row.document), base: text(row.knowledge_base), type: text(row.type), size: number(row.size), status: text(row.status) });
const page = (row: Fields): WebRow => ({ title: text(row.title), url: text(row.url), snippet: text(row.snippet) });

/** `whole` is false where the text was cut. Null where there is no result yet. */
export function readResult(preview: string): { result: StepResult; whole: boolean } | null {
  if (!preview) return null;
  const read = readJson(preview);
  if (!read) return { result: { kind: "other", value: preview }, whole: true };
  return { result: shape(read.value), whole: read.whole };
}

function shape(value: unknown): StepResult {
  if (!isFields(value)) return { kind: "other", value };
  if (Array.isArray(value.hits)) return { kind: "hits", hits: rows(value.hits).map(hit), note: text(value.note) };
  if (Array.isArray(value.documents)) return { kind: "documents", documents: rows(value.documents).map(document) };
  if (Array.isArray(value.candidates)) return { kind: "documents", documents: rows(value.candidates).map(document) };
  if (Array.isArray(value.results) && rows(value.results).every((row) => row.url)) return { kind: "web", results: rows(value.results).map(page) };
  if (value.expression !== undefined && value.result !== undefined) return { kind: "calculation", expression: text(value.expression), result: text(value.result) };
  if (value.datetime !== undefined && value.timezone !== undefined) return { kind: "clock", datetime: text(value.datetime), timezone: text(value.timezone) };
  const body = value.text ?? value.summary;
  if (typeof body === "string") return { kind: "text", document: text(value.document) || text(value.title), page: number(value.page), section: section(value.section), text: body };
  const { untrusted: _, ...rest } = value;
  return { kind: "other", value: rest };
}
