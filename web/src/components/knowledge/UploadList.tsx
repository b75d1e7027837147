/** Files on their way in, each with its stage, its progress, and what to do when it fails. */
import { Button, Loader, Progress } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, ChevronDown, CircleSlash, Copy, RotateCcw, X } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { api } from "~/api/client";
import type { KnowledgeBase } from "~/api/types";
import { IconButton } from "~/components/common/IconButton";
import { UnevenRows } from "~/components/common/UnevenRows";
import { useBases } from "~/hooks/data";
import { queryClient, uploads, useUploads } from "~/hooks/live";
import { showDocuments } from "~/hooks/lists";
import { useT } from "~/i18n";
import { failureText } from "~/state/failures";
import { finished, type Upload } from "~/state/uploads";
import css from "./UploadList.module.css";

/** Asks for the state of what was received and is not ready yet. */
function useProgress(items: Upload[]): void {
  const open = items.filter((item) => item.documentId && !finished.has(item.stage)).slice(0, 20);
  const answers = useQueries({
    queries: open.map((item) => ({ queryKey: ["document", item.documentId], queryFn: () => api.document(item.documentId ?? ""), refetchInterval: 900, staleTime: 0 })),
  });
  const documents = answers.flatMap((answer) => (answer.data ? [answer.data] : []));
  const marks = answers.map((answer) => answer.dataUpdatedAt).join();
  useEffect(() => { uploads.documents(documents); showDocuments(documents); }, [marks]);
}

/** The bases that these files go into, but `kb`. */
function useHomes(items: Upload[], kb: string | undefined): KnowledgeBase[] {
  const bases = useBases().data?.items ?? [];
  const wanted = new Set(items.map((item) => item.kb));
  return bases.filter((base) => wanted.has(base.id) && base.id !== kb);
}

/** `kb`: the base whose documents are listed below; what failed there is told once, by its row. */
export function UploadList({ kb }: { kb?: string }) {
  const t = useT();
  const items = useUploads();
  useProgress(items);
  const homes = useHomes(items, kb);
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (!items.length) return null;
  const failed = items.filter((item) => item.stage === "failed");
  const ended = items.filter((item) => finished.has(item.stage)).length;
  const progress = t("upload.progress", { done: ended, count: items.length });
  // What needs the reader comes first.
  const sorted = failed.length ? [...failed, ...items.filter((item) => item.stage !== "failed")] : items;
  // When all is done the list of the documents tells it: only what did not become one stays in sight, the rest on demand.
  const working = ended < items.length;
  const whole = chosen ?? working;
  const rows = whole ? sorted : sorted.filter((item) => finished.has(item.stage) && item.stage !== "ready" && !(item.stage === "failed" && item.documentId && item.kb === kb));
  return (
    <section className={css.uploads} aria-label={t("upload.title")}>
      <div className={css.head}>
        <h3>{t("upload.title")}</h3>
        {homes.length > 0 && <span className={css.homes}>{t("upload.into")} {homes.map((base) => <Link key={base.id} to="/knowledge/$kbId" params={{ kbId: base.id }} dir="auto">{base.name}</Link>)}</span>}
        <span className={css.progress} role="status">{progress}{failed.length > 0 && <span className={css.failed}>{t("upload.failedCount", { count: failed.length })}</span>}</span>
        <span className={css.fold}><IconButton label={t(whole ? "upload.fold" : "upload.unfold")} expanded={whole} size={30} onClick={() => setChosen(!whole)}><ChevronDown size={16} className={css.chevron} data-open={whole || undefined} /></IconButton></span>
        {ended > 0 && <span className={css.clear}><Button size="compact-sm" variant="subtle" color="gray" onClick={() => uploads.clear()}>{t("upload.clear")}</Button></span>}
      </div>
      {rows.length > 0 && <UnevenRows items={rows} height={48} keyOf={(item) => item.key} label={t("upload.title")} framed={false} className={css.scroll}>
        {(item) => <UploadRow upload={item} />}
      </UnevenRows>}
    </section>
  );
}

/** What was known of the first reading says nothing about the second. */
function again(upload: Upload): void {
  queryClient.removeQueries({ queryKey: ["document", upload.documentId] });
  uploads.retry(upload.key);
}

const UploadRow = memo(function UploadRow({ upload }: { upload: Upload }) {
  const t = useT();
  const open = !finished.has(upload.stage);
  const failure = failureText({ name: upload.name, error: upload.error, error_code: upload.code }, t);
  return (
    <div className={css.row} data-stage={upload.stage}>
      <span className={css.mark} aria-hidden="true">
        {upload.stage === "ready" ? <Check size={16} /> : upload.stage === "failed" ? <X size={16} /> : upload.stage === "cancelled" ? <CircleSlash size={15} /> : upload.stage === "duplicate" ? <Copy size={15} /> : <Loader size={14} />}
      </span>
      <span className={css.text}>
        <span className={css.name} dir="auto">{upload.path || upload.name}</span>
        {failure && <span className={css.error}>{failure}</span>}
        {upload.stage === "sending" && <Progress value={upload.part * 100} size={3} aria-label={upload.name} />}
      </span>
      <span className={css.stage} data-told={failure !== null || undefined}>{t(`upload.${upload.stage}`, { percent: t.percent(upload.part) })}</span>
      {upload.stage === "failed" && <IconButton label={t("app.retry")} size={30} onClick={() => again(upload)}><RotateCcw size={15} /></IconButton>}
      {open && upload.documentId === null && <IconButton label={t("app.cancel")} size={30} onClick={() => uploads.cancel(upload.key)}><X size={15} /></IconButton>}
    </div>
  );
});
