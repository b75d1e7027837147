/** One page of a PDF at a time, drawn by pdf.js, with the sentences that are meant marked in its text layer. Loaded only when a PDF is opened. */
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useState } from "react";
import { api } from "~/api/client";
import { IconButton } from "~/components/common/IconButton";
import { Notice } from "~/components/common/Notice";
import { Problem } from "~/components/common/Problem";
import { useT } from "~/i18n";
import type { PassageRef } from "./DocumentView";
import { locate, type Opening, type Wanted } from "./locate";
import { PdfPage } from "./PdfPage";
import css from "./PdfView.module.css";

GlobalWorkerOptions.workerSrc = workerAddress;

function usePdf(documentId: string) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    // The page's policy allows neither eval nor WebAssembly; fonts and character maps come from beside the page.
    const task = getDocument({
      url: api.originalAddress(documentId), isEvalSupported: false, useWasm: false, cMapUrl: "/pdf/cmaps/", cMapPacked: true, standardFontDataUrl: "/pdf/standard_fonts/", enableXfa: false,
    });
    task.promise.then(setPdf, (reason: unknown) => setError(reason));
    return () => { void task.destroy(); };
  }, [documentId]);
  return { pdf, error, fail: setError };
}

function useOpening(pdf: PDFDocumentProxy | null, documentId: string, passage: PassageRef | null): Opening | null {
  const [opening, setOpening] = useState<Opening | null>(null);
  useEffect(() => {
    let current = true;
    if (pdf && !passage) setOpening({ page: 1, wanted: [], soft: false });
    if (pdf && passage) void locate(pdf, documentId, passage).then((found) => { if (current) setOpening(found); }, () => { if (current) setOpening({ page: passage.page ?? 1, wanted: [], soft: false }); });
    return () => { current = false; };
  }, [pdf, documentId, passage?.chunkId, passage?.start, passage?.page]);
  return opening;
}

/** As wide as its place; on a phone that is too small to be read. */
const begins = () => (matchMedia("(max-width: 640px)").matches ? 2 : 1);

export function PdfView({ documentId, passage }: { documentId: string; passage: PassageRef | null }) {
  const t = useT();
  const { pdf, error, fail } = usePdf(documentId);
  const opening = useOpening(pdf, documentId, passage);
  const [turned, setTurned] = useState<number | null>(null);
  const [zoom, setZoom] = useState(begins);
  const [missing, setMissing] = useState(false);
  useEffect(() => setTurned(null), [opening]);
  if (error) return <div className={css.message}><Problem error={error} /></div>;
  if (!pdf || !opening) return <p className={css.message}>{t("source.loadingPdf")}</p>;
  const page = Math.min(turned ?? opening.page, pdf.numPages);
  const wanted = page === opening.page ? opening.wanted : nothing;
  return (
    <div className={css.view}>
      <div className={css.tools}>
        <IconButton label={t("source.previous")} disabled={page <= 1} onClick={() => setTurned(page - 1)}><ChevronLeft size={18} /></IconButton>
        <span className="number" aria-live="polite">{t("source.pageOf", { page, pages: pdf.numPages })}</span>
        <IconButton label={t("source.next")} disabled={page >= pdf.numPages} onClick={() => setTurned(page + 1)}><ChevronRight size={18} /></IconButton>
        <span className={css.space} />
        <IconButton label={t("source.zoomOut")} disabled={zoom <= 0.6} onClick={() => setZoom(zoom - 0.25)}><ZoomOut size={17} /></IconButton>
        <IconButton label={t("source.zoomIn")} disabled={zoom >= 3} onClick={() => setZoom(zoom + 0.25)}><ZoomIn size={17} /></IconButton>
      </div>
      {wanted.length > 0 && missing && <div className={css.missing}><Notice tone="info"><blockquote dir="auto"><mark>{wanted.map(({ text }) => text).join(" … ")}</mark></blockquote>{t("source.quoteMissing")}</Notice></div>}
      <PdfPage pdf={pdf} number={page} zoom={zoom} wanted={wanted} soft={opening.soft} onMissing={setMissing} onFailed={fail} />
    </div>
  );
}

const nothing: Wanted[] = [];
