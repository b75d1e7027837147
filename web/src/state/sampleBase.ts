/** The sample base in the reader's language: the server knows one name for it. A name or text that somebody gave it stays. */
import type { KnowledgeBase } from "~/api/types";
import type { Translator } from "~/i18n";
import { en } from "~/i18n/en";

const sample = (base: KnowledgeBase, t: Translator) => base.name === en["kb.sampleName"] || base.name === t("kb.sampleName");

/** Where a reader's own files go when no base was named: the oldest one that is not the sample. */
export const ownBase = (bases: KnowledgeBase[], t: Translator) => bases.find((base) => !sample(base, t));

export function inWords(base: KnowledgeBase, t: Translator): KnowledgeBase {
  const name = base.name === en["kb.sampleName"] ? t("kb.sampleName") : base.name;
  return { ...base, name, description: base.description === en["kb.sampleText"] ? t("kb.sampleText") : base.description };
}
