/** Which `[n]` of an answer are citations. Markers inside code stay text. */
import type { Source } from "~/api/types";
import { shareOf } from "./markWords";
import { oneLine } from "./plain";

export const marker = /\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]/g;

const code = /(```|~~~)[\s\S]*?(?:\1|$)|`[^`\n]+`/g;

export function citedNumbers(text: string): Set<number> {
  const cited = new Set<number>();
  for (const match of text.replace(code, " ").matchAll(marker)) {
    for (const number of (match[1] ?? "").split(/[,;]/)) cited.add(Number(number));
  }
  return cited;
}

/** A passage below this does not answer; see docs/explanation-scores.md. */
export const lowScore = 0.35;

export type Use = "used" | "weak" | "uncited";

export interface RankedSource { source: Source; use: Use }

/** All passages of a run: the cited ones first in the order of their numbers, then the others by score. */
export function rankSources(sources: Source[], text: string): RankedSource[] {
  const cited = citedNumbers(text);
  const ranked = sources.map((source): RankedSource => ({
    source, use: !cited.has(source.n) ? "uncited" : source.support === "strong" ? "used" : "weak",
  }));
  const used = ranked.filter((item) => item.use !== "uncited").sort((a, b) => a.source.n - b.source.n);
  const rest = ranked.filter((item) => item.use === "uncited").sort((a, b) => b.source.score - a.source.score);
  return [...used, ...rest];
}

/** What a source says for the answer: the sentences that back it, else the beginning of its passage. */
export function quoteOf(source: Pick<Source, "quote" | "quotes">): string {
  const quotes = source.quotes ?? [];
  return quotes.length ? quotes.map(({ text }) => oneLine(text)).join(" … ") : oneLine(source.quote);
}

/** What a small card shows of a source: the sentence that the first one citing it comes from, then what follows. */
export function leadQuote(source: Pick<Source, "n" | "quote" | "quotes">, text: string): string {
  const quotes = source.quotes ?? [];
  const citing = citingSentence(text, source.n);
  const shares = quotes.map((quote) => shareOf(quote.text, citing));
  return quoteOf({ quote: source.quote, quotes: quotes.slice(Math.max(0, shares.indexOf(Math.max(...shares)))) });
}

/** The sentence at the first `[n]`; a marker that stands after the full stop belongs to the sentence before it. */
function citingSentence(text: string, n: number): string {
  const found = [...text.matchAll(marker)].find((match) => (match[1] ?? "").split(/[,;]/).some((number) => Number(number) === n));
  const before = text.slice(0, found?.index ?? text.length).replace(marker, "");
  return before.split(/(?<=[.!?…])\s+|\n+/).findLast((sentence) => /\p{L}|\p{N}/u.test(sentence)) ?? "";
}
