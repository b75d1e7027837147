/** What is searched, and how, as it stands in the address: a reload or a sent link shows the same. */
import type { SearchMode, SearchRequest } from "~/api/types";

export interface SearchAddress { q?: string; mode?: SearchMode; base?: string; type?: string; since?: string; score?: number }

const office = "application/vnd.openxmlformats-officedocument.";
/** The kinds of files that can be chosen: their names in the address with what is shown and searched. */
export const fileTypes: Record<string, { label: string; media: string[] }> = {
  pdf: { label: "PDF", media: ["application/pdf"] },
  word: { label: "Word", media: [`${office}wordprocessingml.document`, "application/msword"] },
  excel: { label: "Excel", media: [`${office}spreadsheetml.sheet`, "application/vnd.ms-excel"] },
  powerpoint: { label: "PowerPoint", media: [`${office}presentationml.presentation`, "application/vnd.ms-powerpoint"] },
  odf: { label: "OpenDocument", media: ["text", "spreadsheet", "presentation"].map((kind) => `application/vnd.oasis.opendocument.${kind}`) },
  epub: { label: "EPUB", media: ["application/epub+zip"] },
  text: { label: "TXT", media: ["text/plain"] },
  markdown: { label: "Markdown", media: ["text/markdown"] },
  html: { label: "HTML", media: ["text/html"] },
  csv: { label: "CSV", media: ["text/csv"] },
  mail: { label: "E-mail", media: ["message/rfc822", "application/vnd.ms-outlook"] },
};

const modes: readonly unknown[] = ["hybrid", "keyword", "vector"];
const word = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** Anyone may have written the address: what is not understood is left out. */
export function readAddress(given: Record<string, unknown>): SearchAddress {
  const score = Number(given.score);
  const since = word(given.since);
  const type = word(given.type);
  return {
    q: word(given.q), mode: modes.includes(given.mode) ? (given.mode as SearchMode) : undefined, base: word(given.base),
    type: type !== undefined && Object.hasOwn(fileTypes, type) ? type : undefined, since: since && /^\d{4}-\d{2}-\d{2}$/.test(since) ? since : undefined,
    score: score > 0 && score <= 1 ? score : undefined,
  };
}

/** The lowest score that a text means, 0 for none; null where it is no score. */
export function scoreOf(text: string | number): number | null {
  const given = String(text).trim().replace(",", ".");
  const score = Number(given);
  return Number.isFinite(score) && score >= 0 && score <= 1 ? score : null;
}

/** Without its filters; what is searched, and how, stays. */
export const unfiltered = ({ q, mode }: SearchAddress): SearchAddress => ({ q, mode });

export function requestOf({ q = "", mode = "hybrid", base, type, since, score }: SearchAddress): SearchRequest {
  const request: SearchRequest = { query: q, k: 20, mode };
  if (base) request.knowledge_base_ids = [base];
  const media = type ? fileTypes[type]?.media : undefined;
  if (media) request.media_types = media;
  if (since) request.created_after = `${since}T00:00:00Z`;
  if (score) request.score_threshold = score;
  return request;
}
