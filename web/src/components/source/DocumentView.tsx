/** A document to read: its pages where it is a PDF, else its text with structure; a passage in it highlighted. */
import { SegmentedControl, Skeleton } from "@mantine/core";
import { Download } from "lucide-react";
import { Suspense, useState } from "react";
import { late } from "~/components/common/late";
import { api } from "~/api/client";
import { ApiError } from "~/api/http";
import type { Quote } from "~/api/types";
import { Problem } from "~/components/common/Problem";
import { Notice } from "~/components/common/Notice";
import { useDocument } from "~/hooks/data";
import { useT } from "~/i18n";
import { plain } from "~/state/plain";
import { TextView } from "./TextView";
import css from "./DocumentView.module.css";

const PdfView = late(async () => (await import("./PdfView")).PdfView);

/** What to open a document at: a passage, and the sentences in it that are meant. Without these, all of it is. */
export interface PassageRef { quote: string; quotes: Quote[]; start: number; end: number; page: number | null; chunkId: string | null }

const sheets = /csv|excel|spreadsheet|tab-separated/;

export function DocumentView({ documentId, passage }: { documentId: string; passage: PassageRef | null }) {
  const t = useT();
  const document = useDocument(documentId);
  const [view, setView] = useState<"original" | "text">("original");
  if (passage && document.error instanceof ApiError && document.error.status === 404) return <Deleted passage={passage} />;
  if (document.isError) return <div className={css.padded}><Problem error={document.error} retry={() => void document.refetch()} /></div>;
  if (!document.data) return <div className={css.padded}><Skeleton height={14} /><Skeleton height={14} mt={10} width="80%" /><Skeleton height={14} mt={10} width="60%" /></div>;
  const pdf = document.data.media_type === "application/pdf";
  return (
    <div className={css.view}>
      <div className={css.tools}>
        {pdf && (
          <SegmentedControl
            size="xs" value={view} onChange={(value) => setView(value as "original" | "text")} aria-label={t("source.panel")}
            data={[{ value: "original", label: t("source.original") }, { value: "text", label: t("source.text") }]}
          />
        )}
        <span className={css.space} />
        <a className={css.download} href={api.originalAddress(documentId)} download={document.data.name}><Download size={15} aria-hidden="true" />{t("source.download")}</a>
      </div>
      {pdf && view === "original"
        ? <Suspense fallback={<p className={css.padded}>{t("source.loadingPdf")}</p>}><PdfView documentId={documentId} passage={passage} /></Suspense>
        : <TextView documentId={documentId} passage={passage} records={sheets.test(document.data.media_type)} />}
    </div>
  );
}

/** What the answer stands on outlives its document: the run kept the words. */
function Deleted({ passage }: { passage: PassageRef }) {
  const t = useT();
  const quotes = passage.quotes.length ? passage.quotes.map(({ text }) => text) : [passage.quote];
  return (
    <div className={css.padded}>
      <Notice tone="info" live title={t("source.deleted")}>{t("source.deletedHint")}</Notice>
      {quotes.map((quote) => <blockquote key={quote} className={css.kept} dir="auto">{plain(quote)}</blockquote>)}
    </div>
  );
}
