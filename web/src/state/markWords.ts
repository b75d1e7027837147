/** A passage cut where it holds words of the query, compared without case and accents. */
import { grammar } from "./grammar";
import type { Piece } from "./textLines";

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const wordsOf = (text: string) => plain(text).split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);

/** Of two words one may be a form of the other. */
const alike = (one: string, other: string) => one === other || (other.length > 4 && one.startsWith(other)) || (one.length > 4 && other.startsWith(one));

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
