/** How far the sample base is: its documents are read, then prepared for the search by meaning. */
import { useDocuments } from "~/hooks/lists";
import { useT } from "~/i18n";
import { preparation } from "~/state/preparation";

/** Null before the base is asked for. `askable`: what is asked now is answered from all of it. */
export function useSample(kb: string | undefined): { text: string; done: boolean; askable: boolean } | null {
  const t = useT();
  const { items } = useDocuments(kb ?? "", Boolean(kb));
  if (!kb) return null;
  const { stage, done, count } = preparation(items);
  if (stage === "reading") return { text: t("first.sampleReading", { done, count }), done: false, askable: false };
  return stage === "preparing" ? { text: t("first.samplePreparing", { done, count }), done: false, askable: true } : { text: t("first.sampleDone"), done: true, askable: true };
}
