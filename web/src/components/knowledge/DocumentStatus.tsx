/** Where a document stands. One without text is red, never "ready". */
import { Loader, Popover, UnstyledButton } from "@mantine/core";
import { Check, CircleAlert, TriangleAlert } from "lucide-react";
import type { Document } from "~/api/types";
import { useT } from "~/i18n";
import { errorText } from "~/state/uploads";
import css from "./DocumentStatus.module.css";

export function DocumentStatus({ document }: { document: Document }) {
  const t = useT();
  const empty = document.status === "ready" && document.chunk_count === 0;
  const failed = document.status === "failed" || empty;
  const error = errorText(document.error);
  const warnings = document.warnings ?? [];
  const working = !failed && document.status !== "ready";
  const tone = failed ? "bad" : warnings.length ? "warn" : working ? "work" : "good";
  const label = empty ? t("doc.noText") : t(`doc.status.${document.status}`);
  const icon = failed ? <CircleAlert size={15} /> : working ? <Loader size={13} /> : warnings.length ? <TriangleAlert size={15} /> : <Check size={15} />;
  const content = <>{icon}<span>{label}</span></>;
  const more = [error, ...warnings, !failed && document.vectors === "pending" && !working ? t("doc.vectorsPending") : null].filter((line): line is string => Boolean(line));
  if (!more.length) return <span className={css.status} data-tone={tone}>{content}</span>;
  return (
    <Popover position="bottom-end" shadow="md" width={300} withArrow>
      <Popover.Target><UnstyledButton className={css.status} data-tone={tone}>{content}{document.vectors === "pending" && !failed && <span className={css.dot} />}</UnstyledButton></Popover.Target>
      <Popover.Dropdown className={css.more}>{more.map((line) => <p key={line}>{line}</p>)}</Popover.Dropdown>
    </Popover>
  );
}
