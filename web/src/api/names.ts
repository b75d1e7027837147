/** Answers of the server with names that cannot turn the text around them: a control of the writing direction inside a name is shown as its code. */

// Marks, embeddings, overrides and isolates. Source: Unicode Standard Annex 9, section 2.
const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const written = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\\u(?:061c|200[ef]|202[a-e]|206[6-9])/i;
// Names and titles only: offsets of passages are counted in the texts, which stay as they are and stand in elements of their own direction.
const named = new Set(["name", "path", "document_name", "document", "title", "filename", "knowledge_base"]);

export function showControls(name: string): string {
  return name.replace(controls, (mark) => `⟨U+${mark.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** The JSON value of `text`. The common answer without such a control costs one search. */
export function parseNamed(text: string): unknown {
  if (!written.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (typeof value === "string" && named.has(key) ? showControls(value) : value));
}
