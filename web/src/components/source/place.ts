/** Where in its document a passage stands, in words. */
import type { Source } from "~/api/types";
import type { Translator } from "~/i18n";
import { hung } from "~/state/joined";

export function place(source: Pick<Source, "page" | "section" | "fact_id">, t: Translator): string {
  const parts: string[] = [];
  if (source.fact_id) parts.push(t("source.fact"));
  if (source.page) parts.push(t("source.page", { page: source.page }));
  if (source.section?.length) parts.push(source.section.join(" › "));
  return hung(parts.join(" · "));
}
