/** Why a document could not be read, in the reader's language where the reason is a known one; else in the server's words. */
import type { Document } from "~/api/types";
import type { Translator } from "~/i18n";
import { errorText } from "./uploads";

/** The words of the server say more than the kind of the failure: in English they stand as they are, without the name that stands above them. */
export function failureText(document: Pick<Document, "name" | "error" | "error_code">, t: Translator): string | null {
  const said = errorText(document.error);
  if (!said) return null;
  const own = withoutName(said, document.name);
  return t.language === "en" ? own : t.maybe(`doc.failed.${document.error_code}`, own);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `'a.txt' is empty.` under `a.txt` is `Is empty.`; that it could not be read stands above the reason already. */
export function withoutName(text: string, name: string): string {
  const quoted = [`'${name}' `, `"${name}" `, `'${name}': `, `"${name}": `].filter((start) => text.startsWith(start)).at(-1);
  if (!quoted) return text;
  return capital(text.slice(quoted.length).replace(/^could not be read: /, ""));
}
