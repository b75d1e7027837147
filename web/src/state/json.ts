/** JSON text on lines of its own, also where it was cut in the middle. Pure. */

export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return /^\s*(\{\s*"|\[\s*[{["])/.test(text) ? indentCut(text) : text;
  }
}

function indentCut(text: string): string {
  let out = "";
  let depth = 0;
  let quoted = false;
  let escaped = false;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const mark of text) {
    if (quoted) {
      out += mark;
      quoted = escaped || mark !== '"';
      escaped = !escaped && mark === "\\";
    } else if (mark === "{" || mark === "[") {
      depth += 1;
      out += mark + line();
    } else if (mark === "}" || mark === "]") {
      depth = Math.max(0, depth - 1);
      out = /[{[]\s+$/.test(out.slice(-2 * depth - 8)) ? out.trimEnd() + mark : out + line() + mark;
    } else if (mark === ",") out += mark + line();
    else if (mark === ":") out += ": ";
    else if (mark.trim()) {
      quoted = mark === '"';
      out += mark;
    }
  }
  return out;
}
