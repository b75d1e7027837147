/** Extracted text as lines with their offsets (in characters), grouped into headings, table rows and paragraphs, for the viewer. */
import { countCharacters, unitIndex } from "./liveText";

export interface Piece { text: string; marked: boolean }
export type TextBlock =
  | { kind: "heading"; level: number; start: number; pieces: Piece[]; marked: boolean }
  | { kind: "table"; start: number; rows: { cells: Piece[][]; head: boolean; marked: boolean }[]; marked: boolean }
  | { kind: "paragraph"; start: number; pieces: Piece[]; marked: boolean };

interface Line { text: string; start: number }

function linesOf(text: string, offset: number): Line[] {
  let start = offset;
  return text.split("\n").map((line) => {
    const item = { text: line, start };
    start += countCharacters(line) + 1;
    return item;
  });
}

/** `text`, which begins at character `start` of the document, cut at the borders of the span `from`..`to`. */
function piecesOf(text: string, start: number, from: number, to: number): Piece[] {
  const end = start + countCharacters(text);
  if (to <= start || from >= end || to <= from) return text ? [{ text, marked: false }] : [];
  const a = unitIndex(text, Math.max(0, from - start));
  const b = unitIndex(text, Math.max(0, to - start));
  return [{ text: text.slice(0, a), marked: false }, { text: text.slice(a, b), marked: true }, { text: text.slice(b), marked: false }].filter((piece) => piece.text);
}

const isRow = (line: string) => (/^\s*\|.*\|\s*$/.test(line) || line.includes("\t"));
const isRule = (line: string) => /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(line) && line.includes("-");

function row(line: Line, from: number, to: number): { cells: Piece[][]; marked: boolean } {
  const tabs = !/^\s*\|/.test(line.text);
  const separator = tabs ? "\t" : "|";
  const cells: Piece[][] = [];
  let position = 0;
  const parts = line.text.split(separator);
  parts.forEach((part, index) => {
    const lead = part.length - part.trimStart().length;
    if (tabs || (index > 0 && index < parts.length - 1)) {
      cells.push(piecesOf(part.trim(), line.start + countCharacters(line.text.slice(0, position + lead)), from, to));
    }
    position += part.length + 1;
  });
  const end = line.start + countCharacters(line.text);
  return { cells, marked: from < end && to > line.start && to > from };
}

export function textBlocks(text: string, offset: number, from: number, to: number): TextBlock[] {
  const lines = linesOf(text, offset);
  const blocks: TextBlock[] = [];
  let index = 0;
  const overlaps = (start: number, value: string) => to > from && from < start + countCharacters(value) && to > start;
  while (index < lines.length) {
    const line = lines[index] as Line;
    if (!line.text.trim()) { index += 1; continue; }
    const heading = /^(#{1,6})\s+/.exec(line.text);
    if (heading) {
      const body = line.text.slice(heading[0].length);
      const start = line.start + heading[0].length;
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, start: line.start, pieces: piecesOf(body, start, from, to), marked: overlaps(line.start, line.text) });
      index += 1;
      continue;
    }
    if (isRow(line.text)) {
      const rows = [];
      while (index < lines.length && isRow((lines[index] as Line).text)) {
        const current = lines[index] as Line;
        if (!isRule(current.text)) rows.push({ ...row(current, from, to), head: isRule(lines[index + 1]?.text ?? "") });
        index += 1;
      }
      blocks.push({ kind: "table", start: line.start, rows, marked: rows.some((item) => item.marked) });
      continue;
    }
    const first = index;
    while (index < lines.length) {
      const current = (lines[index] as Line).text;
      if (!current.trim() || (index > first && (isRow(current) || /^#{1,6}\s/.test(current)))) break;
      index += 1;
    }
    const body = lines.slice(first, index).map((item) => item.text).join("\n");
    blocks.push({ kind: "paragraph", start: line.start, pieces: piecesOf(body, line.start, from, to), marked: overlaps(line.start, body) });
  }
  return blocks;
}
