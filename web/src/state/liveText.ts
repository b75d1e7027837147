/** Text that arrives in pieces at character offsets. Characters are Unicode code points (the server's count), not UTF-16 units. */

export interface LiveText { text: string; length: number }

export const emptyText: LiveText = { text: "", length: 0 };

export function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length) index += 1;
    count += 1;
  }
  return count;
}

/** The index in UTF-16 units of the character at `offset`. */
export function unitIndex(text: string, offset: number): number {
  let index = 0;
  for (let count = 0; count < offset && index < text.length; count += 1) {
    const unit = text.charCodeAt(index);
    index += unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length ? 2 : 1;
  }
  return index;
}

export function sliceCharacters(text: string, start: number, end: number): string {
  return text.slice(unitIndex(text, start), unitIndex(text, end));
}

/** `delta` put at `offset`. A repetition changes nothing; a piece beyond the end is refused (null): something before it is missing. */
export function putAt(current: LiveText, offset: number, delta: string): LiveText | null {
  if (offset > current.length) return null;
  const length = countCharacters(delta);
  if (offset === current.length) return { text: current.text + delta, length: current.length + length };
  const head = current.text.slice(0, unitIndex(current.text, offset));
  const end = offset + length;
  const tail = end < current.length ? current.text.slice(unitIndex(current.text, end)) : "";
  return { text: head + delta + tail, length: Math.max(end, current.length) };
}
