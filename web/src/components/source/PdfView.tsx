/** One page of a PDF at a time, drawn by pdf.js, with the passage highlighted in its text layer. Loaded only when a PDF is opened. */
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type PDFPageProxy, TextLayer } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";
import { api } from "~/api/client";
import { IconButton } from "~/components/common/IconButton";
import { Notice } from "~/components/common/Notice";
import { Problem } from "~/components/common/Problem";
import { useT } from "~/i18n";
import { findQuote } from "~/state/findQuote";
import type { PassageRef } from "./DocumentView";
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
  return { pdf, error };
}

export function PdfView({ documentId, passage }: { documentId: string; passage: PassageRef | null }) {
  const t = useT();
  const { pdf, error } = usePdf(documentId);
  const [number, setNumber] = useState(passage?.page ?? 1);
  const [zoom, setZoom] = useState(1);
  const [missing, setMissing] = useState(false);
  if (error) return <div className={css.message}><Problem error={error} /></div>;
  if (!pdf) return <p className={css.message}>{t("source.loadingPdf")}</p>;
  const page = Math.min(number, pdf.numPages);
  const quote = passage && page === (passage.page ?? 1) ? passage.quote : null;
  return (
    <div className={css.view}>
      <div className={css.tools}>
        <IconButton label={t("source.previous")} disabled={page <= 1} onClick={() => setNumber(page - 1)}><ChevronLeft size={18} /></IconButton>
        <span className="number" aria-live="polite">{t("source.pageOf", { page, pages: pdf.numPages })}</span>
        <IconButton label={t("source.next")} disabled={page >= pdf.numPages} onClick={() => setNumber(page + 1)}><ChevronRight size={18} /></IconButton>
        <span className={css.space} />
        <IconButton label={t("source.zoomOut")} disabled={zoom <= 0.6} onClick={() => setZoom(zoom - 0.25)}><ZoomOut size={17} /></IconButton>
        <IconButton label={t("source.zoomIn")} disabled={zoom >= 3} onClick={() => setZoom(zoom + 0.25)}><ZoomIn size={17} /></IconButton>
      </div>
      {quote && missing && <div className={css.missing}><Notice tone="info"><blockquote dir="auto"><mark>{quote}</mark></blockquote>{t("source.quoteMissing")}</Notice></div>}
      <PdfPage pdf={pdf} number={page} zoom={zoom} quote={quote} onMissing={setMissing} />
    </div>
  );
}

interface PageProperties { pdf: PDFDocumentProxy; number: number; zoom: number; quote: string | null; onMissing: (missing: boolean) => void }

function PdfPage({ pdf, number, zoom, quote, onMissing }: PageProperties) {
  const t = useT();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop: () => void = () => undefined;
    let current = true;
    void pdf.getPage(number).then((page) => {
      if (current && frame.current && canvas.current && layer.current) {
        stop = draw(page, { frame: frame.current, canvas: canvas.current, layer: layer.current, zoom, quote, onMissing });
      }
    });
    return () => { current = false; stop(); };
  }, [pdf, number, zoom, quote, onMissing]);
  return (
    <div ref={frame} className={css.frame} tabIndex={0} role="region" aria-label={t("source.page", { page: number })}>
      <div className={css.page}>
        <canvas ref={canvas} aria-hidden="true" />
        <div ref={layer} className={css.layer} />
      </div>
    </div>
  );
}

interface Drawing { frame: HTMLElement; canvas: HTMLCanvasElement; layer: HTMLElement; zoom: number; quote: string | null; onMissing: (missing: boolean) => void }

function draw(page: PDFPageProxy, { frame, canvas, layer, zoom, quote, onMissing }: Drawing): () => void {
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.max(0.2, ((frame.clientWidth - 32) / natural.width) * zoom);
  const viewport = page.getViewport({ scale });
  const density = Math.min(devicePixelRatio || 1, 2);
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  canvas.style.width = `${viewport.width}px`;
  canvas.style.height = `${viewport.height}px`;
  const task = page.render({ canvas, viewport, transform: density === 1 ? undefined : [density, 0, 0, density, 0, 0] });
  task.promise.catch(() => undefined);
  layer.replaceChildren();
  layer.style.setProperty("--total-scale-factor", String(scale));
  layer.style.setProperty("--scale-factor", String(scale));
  const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport });
  text.render().then(() => {
    if (!quote) return;
    const spans = findQuote(text.textContentItemsStr, quote);
    onMissing(spans.length === 0);
    spans.forEach(({ item, from, to }) => mark(text.textDivs[item], from, to));
    const first = layer.querySelector("mark");
    if (first) frame.scrollTo({ top: Math.max(0, first.getBoundingClientRect().top - layer.getBoundingClientRect().top - frame.clientHeight / 3) });
  }, () => undefined);
  return () => { task.cancel(); text.cancel(); };
}

function mark(element: HTMLElement | undefined, from: number, to: number): void {
  if (!element) return;
  const text = element.textContent ?? "";
  const highlight = document.createElement("mark");
  highlight.textContent = text.slice(from, to);
  element.replaceChildren(text.slice(0, from), highlight, text.slice(to));
}
