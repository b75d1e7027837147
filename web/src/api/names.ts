/** Answers of the server with names and errors that cannot turn or hide the text around them: a control character inside is shown as its code. */
import { showControls } from "~/state/controls";

// Names, titles and what went wrong: offsets of passages are counted in the texts, which stay as they are and stand in elements of their own direction.
const named = new Set(["name", "path", "document_name", "document", "title", "filename", "knowledge_base", "detail", "error"]);

/** The JSON value of `text`. The common answer without such a control costs two searches. */
export function parseNamed(text: string): unknown {
  if (showControls(text) === text && !/\\[ubf]/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (typeof value === "string" && named.has(key) ? showControls(value) : value));
}
