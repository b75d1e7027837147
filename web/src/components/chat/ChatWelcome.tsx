/** What an empty chat shows: an invitation, and while something is missing for a first answer, the steps to get there. */
import { Suspense, useEffect, useState } from "react";
import { late } from "~/components/common/late";
import { useBases } from "~/hooks/data";
import { useT } from "~/i18n";
import { hadDocuments, rememberDocuments } from "~/state/visitor";
import css from "./ChatWelcome.module.css";

const FirstStart = late(async () => (await import("~/components/first/FirstStart")).FirstStart);

export function ChatWelcome({ onAsk }: { onAsk: (text: string) => void }) {
  const t = useT();
  const bases = useBases();
  // Where nobody had documents the steps are most likely needed: they come while the server is asked.
  useState(() => { if (!hadDocuments()) void FirstStart.preload(); });
  const documents = bases.data?.items.reduce((sum, base) => sum + base.document_count, 0);
  const [first, setFirst] = useState(false);
  // Once begun, the steps stay until the first question, also when the documents have arrived.
  useEffect(() => {
    if (documents === 0) setFirst(true);
    if (documents !== undefined) rememberDocuments(documents > 0);
  }, [documents]);
  // Where there were documents last time there most likely still are.
  if (documents === undefined && !hadDocuments()) return null;
  if (documents === 0 || first) return <Suspense><FirstStart onAsk={onAsk} /></Suspense>;
  return (
    <div className={css.welcome}>
      <h2>{t("chat.empty")}</h2>
      <p>{t("chat.emptyHint")}</p>
    </div>
  );
}
