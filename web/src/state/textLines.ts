/** Extracted text as lines with their offsets (in characters), grouped into headings, tables and paragraphs, for the viewer. */
import { countCharacters, unitIndex } from "./liveText";

/** A stretch of the document's text: `start` to before `end`, in characters. */
export interface Stretch { start: number; end: number }
/** What is shown in the text: the sentences that back the answer, and the passage that they stand in. */
export interface Marks { passage: Stretch | null; quotes: Stretch[] }
export const noMarks: Marks = { passage: null, quotes: [] };

export interface Piece { text: string; marked: boolean }
export interface Row { cells: Piece[][]; head: boolean; marked: boolean }
interface Common { start: number; marked: boolean; passage: boolean }
export type TextBlock = Common & (
  | { kind: "heading"; level: number; pieces: Piece[] }
  | { kind: "table"; rows: Row[]; name?: string }
  | { kind: "paragraph"; pieces: Piece[] }
);

interface Line { text: string; start: number }

function linesOf(text: string, offset: number): Line[] {
  let start = offset;
  return text.split("\n").map((line) => {
    const item = { text: line, start };
    start += countCharacters(line) + 1;
    return item;
  });
}

const touches = ({ start, end }: Stretch, from: number, to: number) => start < end && start < to && from < end;

/** `text`, which begins at character `start` of the document, cut at the borders of the stretches. */
function piecesOf(text: string, start: number, stretches: Stretch[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  const put = (to: number, marked: boolean) => {
    if (to > done) pieces.push({ text: text.slice(done, to), marked });
    done = Math.max(done, to);
  };
  const end = start + countCharacters(text);
  for (const stretch of stretches.filter((item) => touches(item, start, end)).sort((a, b) => a.start - b.start)) {
    put(unitIndex(text, Math.max(0, stretch.start - start)), false);
    put(unitIndex(text, stretch.end - start), true);
  }
  put(text.length, false);
  return pieces;
}

const isRow = (line: string) => (/^\s*\|.*\|\s*$/.test(line) || line.includes("\t"));
const isRule = (line: string) => /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(line) && line.includes("-");

function cellsOf(line: Line, quotes: Stretch[]): Piece[][] {
  const tabs = !/^\s*\|/.test(line.text);
  const cells: Piece[][] = [];
  let position = 0;
  const parts = line.text.split(tabs ? "\t" : "|");
  parts.forEach((part, index) => {
    const lead = part.length - part.trimStart().length;
    if (tabs || (index > 0 && index < parts.length - 1)) {
      cells.push(piecesOf(part.trim(), line.start + countCharacters(line.text.slice(0, position + lead)), quotes));
    }
    position += part.length + 1;
  });
  return cells;
}

const field = /(?:^|; )([^:;]{1,80}): /g;

/** The fields of a sheet's row as the server writes it: `header: value; header: value`. Null where it is none. */
function fieldsOf(line: string): Map<string, string> | null {
  const found = [...line.matchAll(field)];
  if (found.length < 2 || found[0]?.index !== 0) return null;
  return new Map(found.map((match, index) => [match[1] ?? "", line.slice(match.index + match[0].length, found[index + 1]?.index ?? line.length)]));
}

/** Rows under the names of their columns. The fullest row says their order: an empty cell is not written. */
function recordRows(lines: Line[], quotes: Stretch[]): Row[] {
  const rows = lines.map((line) => ({ line, fields: fieldsOf(line.text) ?? new Map<string, string>() }));
  const order = [...rows].sort((a, b) => b.fields.size - a.fields.size);
  const columns = [...new Set(order.flatMap(({ fields }) => [...fields.keys()]))];
  const plain = (text: string): Piece[] => (text ? [{ text, marked: false }] : []);
  return [
    { cells: columns.map(plain), head: true, marked: false },
    ...rows.map(({ line, fields }) => ({
      cells: columns.map((name) => plain(fields.get(name) ?? "")), head: false,
      marked: quotes.some((quote) => touches(quote, line.start, line.start + countCharacters(line.text))),
    })),
  ];
}

/** `records`: the text is that of a sheet, where each line is a row. */
export function textBlocks(text: string, offset: number, { passage, quotes }: Marks = noMarks, records = false): TextBlock[] {
  const lines = linesOf(text, offset);
  const blocks: TextBlock[] = [];
  const isRecord = (line: string) => records && fieldsOf(line) !== null;
  let index = 0;
  const take = (more: (line: string) => boolean): Line[] => {
    const first = index;
    index += 1;
    while (index < lines.length && more((lines[index] as Line).text)) index += 1;
    return lines.slice(first, index);
  };
  const common = (taken: Line[]): Common => {
    const start = taken[0]?.start ?? 0;
    const last = taken.at(-1);
    const end = last ? last.start + countCharacters(last.text) : start;
    return { start, marked: quotes.some((quote) => touches(quote, start, end)), passage: passage !== null && touches(passage, start, end) };
  };
  while (index < lines.length) {
    const line = lines[index] as Line;
    const heading = /^(#{1,6})\s+/.exec(line.text);
    if (!line.text.trim()) index += 1;
    else if (heading) {
      const lead = heading[0].length;
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, pieces: piecesOf(line.text.slice(lead), line.start + lead, quotes), ...common(take(() => false)) });
    } else if (isRecord(line.text)) {
      const taken = take(isRecord);
      blocks.push({ kind: "table", rows: recordRows(taken, quotes), ...common(taken) });
    } else if (isRow(line.text)) {
      const taken = take(isRow);
      const rows = taken.flatMap((item, at) => (isRule(item.text) ? [] : [{ ...common([item]), cells: cellsOf(item, quotes), head: isRule(taken[at + 1]?.text ?? "") }]));
      blocks.push({ kind: "table", rows, ...common(taken) });
    } else {
      const taken = take((next) => next.trim() !== "" && !isRow(next) && !isRecord(next) && !/^#{1,6}\s/.test(next));
      const body = taken.map((item) => item.text).join("\n");
      blocks.push({ kind: "paragraph", pieces: piecesOf(body, line.start, quotes), ...common(taken) });
    }
  }
  return blocks;
}
