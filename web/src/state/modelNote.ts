/** The built-in model says at the end of each answer that no language model is connected. Where the page says so itself, it is not said twice. */

import { citedNumbers } from "./citations";

const beginnings = [
  "No language model is connected",
  "Es ist kein Sprachmodell angeschlossen",
  "Er is geen taalmodel aangesloten",
  "Aucun modèle de langage n'est connecté",
];

/** The answer is one of the built-in model's, made of sentences that it cites: a greeting is not. */
export const standsOnSentences = (text: string) => withoutNote(text) !== text && citedNumbers(text).size > 0;

/** `text` without that last paragraph, also while it is still being written. */
export function withoutNote(text: string): string {
  const at = text.lastIndexOf("\n\n");
  const last = text.slice(at < 0 ? 0 : at + 2);
  const note = last !== "" && beginnings.some((beginning) => last.startsWith(beginning) || (at >= 0 && last.length > 3 && beginning.startsWith(last)));
  return note ? text.slice(0, Math.max(0, at)) : text;
}
