/** Where a document stands. One without text is red, never "ready". Why, in a card that comes with the first click; `said`: what went wrong can be read beside it. */
import { Loader, Popover } from "@mantine/core";
import { Check, CircleAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Document } from "~/api/types";
import { useT } from "~/i18n";
import { showControls } from "~/state/controls";
import { failureText } from "~/state/failures";
import css from "./DocumentStatus.module.css";

export function DocumentStatus({ document, said = false }: { document: Document; said?: boolean }) {
  const t = useT();
  const [used, setUsed] = useState(false);
  const empty = document.status === "ready" && document.chunk_count === 0;
  const failed = document.status === "failed" || empty;
  const error = failureText(document, t);
  const warnings = (document.warnings ?? []).map(showControls);
  const working = !failed && document.status !== "ready";
  const pending = !failed && document.vectors === "pending";
  const tone = failed ? "bad" : warnings.length ? "warn" : working ? "work" : "good";
  const label = empty ? t("doc.noText") : t(`doc.status.${document.status}`);
  const icon = failed ? <CircleAlert size={15} /> : working ? <Loader size={13} /> : warnings.length ? <TriangleAlert size={15} /> : <Check size={15} />;
  const more = [...(said ? [] : [error, ...warnings]), pending && !working ? t("doc.vectorsPending") : null].filter((line): line is string => Boolean(line));
  if (!more.length) return <span className={css.status} data-tone={tone}>{icon}<span>{label}</span></span>;
  const shared = { type: "button", className: css.status, "data-tone": tone, title: more.join("\n"), children: <>{icon}<span>{label}</span></> } as const;
  if (!used) return <button {...shared} aria-haspopup="dialog" aria-expanded={false} onClick={() => setUsed(true)} />;
  return (
    <Popover position="bottom-end" shadow="md" width={300} withArrow defaultOpened trapFocus returnFocus>
      <Popover.Target><button {...shared} autoFocus /></Popover.Target>
      <Popover.Dropdown className={css.more}>{more.map((line) => <p key={line}>{line}</p>)}</Popover.Dropdown>
    </Popover>
  );
}
