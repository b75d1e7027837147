/** Finds a quoted passage among the pieces of text of a page, however the page breaks lines, hyphenates or spaces them. */

export interface Span { item: number; from: number; to: number }

const ligatures: Record<string, string> = { "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl" };

/** Letters and digits only, folded; with the place each came from. */
function fold(text: string): { letters: string; places: number[] } {
  let letters = "";
  const places: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const raw = text[index] ?? "";
    const plain = (ligatures[raw] ?? raw).normalize("NFKD").toLowerCase();
    for (const letter of plain) {
      if (!/[\p{L}\p{N}]/u.test(letter)) continue;
      letters += letter;
      for (let unit = 0; unit < letter.length; unit += 1) places.push(index);
    }
  }
  return { letters, places };
}

/** Where `wanted` stands in `letters`. Of several places the one whose letters before it are most like `before`. */
function placeOf(letters: string, wanted: string, before: string): number {
  let best = -1;
  let most = -1;
  for (let at = wanted ? letters.indexOf(wanted) : -1; at >= 0; at = letters.indexOf(wanted, at + 1)) {
    let alike = 0;
    while (alike < before.length && alike < at && before[before.length - 1 - alike] === letters[at - 1 - alike]) alike += 1;
    if (alike > most) [best, most] = [at, alike];
  }
  return best;
}

/** `before`: what stands before the quote in the document. `exact`: a part of the quote is not enough. */
export function findQuote(items: string[], quote: string, { before = "", exact = false } = {}): Span[] {
  const whole = items.map(fold);
  const letters = whole.map((item) => item.letters).join("");
  const wanted = fold(quote).letters;
  let length = wanted.length;
  let at = placeOf(letters, wanted, fold(before).letters);
  // A passage that goes on over the page's end, or that was shortened: its longest beginning or end that stands here.
  for (const part of exact ? [] : [0.75, 0.5, 0.25]) {
    if (at >= 0) break;
    length = Math.floor(wanted.length * part);
    if (length < 12) break;
    at = letters.indexOf(wanted.slice(0, length));
    if (at < 0) at = letters.indexOf(wanted.slice(-length));
  }
  if (at < 0) return [];
  const spans: Span[] = [];
  let position = 0;
  whole.forEach((item, index) => {
    const from = Math.max(at, position) - position;
    const to = Math.min(at + length, position + item.letters.length) - position;
    if (to > from) spans.push({ item: index, from: item.places[from] ?? 0, to: stop(items[index] ?? "", (item.places[to - 1] ?? 0) + 1, position + to === at + length) });
    position += item.letters.length;
  });
  return spans;
}

/** Where a mark ends: with the full stop of its last word, or with the item when the quote goes on in the next one. */
function stop(text: string, end: number, last: boolean): number {
  if (!last) return /[\p{L}\p{N}]/u.test(text.slice(end)) ? end : text.trimEnd().length;
  return end + (/^[.!?…»”"')\]%]+/.exec(text.slice(end))?.[0].length ?? 0);
}
