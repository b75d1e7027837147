/** A passage cut where it holds words of the query, compared without case and accents. */
import { grammar } from "./grammar";
import type { Piece } from "./textLines";

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export function markWords(text: string, query: string): Piece[] {
  const all = plain(query).split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  const content = all.filter((word) => !grammar.has(word));
  const words = new Set(content.length ? content : all);
  if (!words.size) return [{ text, marked: false }];
  const pieces: Piece[] = [];
  for (const part of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    if (!part) continue;
    const folded = plain(part);
    const marked = [...words].some((word) => folded === word || (word.length > 4 && folded.startsWith(word)) || (folded.length > 4 && word.startsWith(folded)));
    const last = pieces.at(-1);
    if (last && last.marked === marked) last.text += part;
    else pieces.push({ text: part, marked });
  }
  return pieces;
}
