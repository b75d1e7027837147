/** JSON that may have been cut somewhere: the longest beginning of it that can be read. */

export interface Read { value: unknown; whole: boolean }

export function readJson(text: string): Read | null {
  try {
    return { value: JSON.parse(text), whole: true };
  } catch {
    return readCut(text);
  }
}

/** Closes what is open after one of the last complete objects. */
function readCut(text: string): Read | null {
  const ends: { at: number; open: string }[] = [];
  let open = "";
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (inText) {
      if (mark === "\\") at += 1;
      else if (mark === '"') inText = false;
    } else if (mark === '"') inText = true;
    else if (mark === "{" || mark === "[") open = (mark === "{" ? "}" : "]") + open;
    else if (mark === "}" || mark === "]") {
      open = open.slice(1);
      ends.push({ at: at + 1, open });
    } else if (mark === ",") ends.push({ at, open });
  }
  // Cut inside a text that is the last of its object: what stands of it is shown too.
  const candidates = [...(inText ? [`${text.replace(/(\\u[\da-f]{0,3}|\\)$/i, "")}"${open}`] : []), ...ends.slice(-8).reverse().map((end) => text.slice(0, end.at) + end.open)];
  for (const candidate of candidates) {
    try {
      return { value: JSON.parse(candidate), whole: false };
    } catch {
      // Cut between a name and its value: one earlier.
    }
  }
  return null;
}
