/** A passage cut where it holds words of the query, compared as the server compares them: without case and accents, `ue` like `ü`, `ß` like `ss`. */
import { grammar } from "./grammar";
import type { Piece } from "./textLines";

const plain = (text: string) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").replaceAll("æ", "ae").replaceAll("œ", "oe").replaceAll("ø", "o").replace(/ae|oe|(?<!q)ue/g, (pair) => pair[0] ?? pair);

const wordsOf = (text: string) => plain(text).split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);

/** Of two words one may be a form of the other, or the first or last part of it. */
const holds = (long: string, short: string) => short.length > 4 && (long.startsWith(short) || long.endsWith(short));
const alike = (one: string, other: string) => one === other || holds(one, other) || holds(other, one);

/** The part of a text's words, 0 to 1, that another text holds too. */
export function shareOf(text: string, other: string): number {
  const own = new Set(wordsOf(text).filter((word) => !grammar.has(word)));
  const held = wordsOf(other);
  return own.size ? [...own].filter((word) => held.some((one) => alike(one, word))).length / own.size : 0;
}

export function markWords(text: string, query: string): Piece[] {
  const all = wordsOf(query);
  const content = all.filter((word) => !grammar.has(word));
  const words = new Set(content.length ? content : all);
  if (!words.size) return [{ text, marked: false }];
  const pieces: Piece[] = [];
  for (const part of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    if (!part) continue;
    const folded = plain(part);
    const marked = [...words].some((word) => alike(folded, word));
    const last = pieces.at(-1);
    if (last && last.marked === marked) last.text += part;
    else pieces.push({ text: part, marked });
  }
  return pieces;
}
