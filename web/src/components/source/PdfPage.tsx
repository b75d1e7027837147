/** One page, drawn by pdf.js on a canvas, its text in a layer above it where it can be selected and is marked. */
import { type PDFDocumentProxy, type PDFPageProxy, RenderingCancelledException, TextLayer } from "pdfjs-dist";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useT } from "~/i18n";
import { findQuote, type Span } from "~/state/findQuote";
import type { Wanted } from "./locate";
import css from "./PdfView.module.css";

interface PageProperties { pdf: PDFDocumentProxy; number: number; zoom: number; wanted: Wanted[]; soft: boolean; onMissing: (missing: boolean) => void; onFailed: (reason: unknown) => void }

export function PdfPage({ pdf, number, zoom, wanted, soft, onMissing, onFailed }: PageProperties) {
  const t = useT();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const lost = useLost(canvas);
  // A page begins at its top or at its marks; what is drawn anew after that stays where the reader has it.
  const begun = useRef<{ number: number; wanted: Wanted[] } | null>(null);
  useEffect(() => {
    let stop: () => void = () => undefined;
    let current = true;
    pdf.getPage(number).then((page) => {
      if (!current || !width || !frame.current || !canvas.current || !layer.current) return;
      const begin = begun.current?.number !== number || begun.current.wanted !== wanted;
      begun.current = { number, wanted };
      stop = draw(page, { frame: frame.current, canvas: canvas.current, layer: layer.current, width, zoom, wanted, begin, onMissing, onFailed });
    }).catch((reason: unknown) => { if (current) onFailed(reason); });
    return () => { current = false; stop(); };
  }, [pdf, number, width, zoom, wanted, lost, onMissing, onFailed]);
  return (
    <div ref={frame} className={css.frame} tabIndex={0} role="region" aria-label={t("source.page", { page: number })}>
      <div className={css.page}>
        <canvas ref={canvas} aria-hidden="true" />
        <div ref={layer} className={css.layer} data-soft={soft || undefined} />
      </div>
    </div>
  );
}

/** How wide an element is, told again when that changes and has come to rest. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    setWidth(watched.clientWidth);
    let timer: ReturnType<typeof setTimeout>;
    const observer = new ResizeObserver(() => { clearTimeout(timer); timer = setTimeout(() => setWidth(watched.clientWidth), 120); });
    observer.observe(watched);
    return () => { clearTimeout(timer); observer.disconnect(); };
  }, [element]);
  return width;
}

/** How often the browser has thrown away what was drawn on a canvas, as it may when it is short of memory. */
function useLost(canvas: RefObject<HTMLCanvasElement | null>): number {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const watched = canvas.current;
    const again = () => setTimes((before) => before + 1);
    watched?.addEventListener("contextrestored", again);
    return () => watched?.removeEventListener("contextrestored", again);
  }, [canvas]);
  return times;
}

interface Drawing {
  frame: HTMLElement; canvas: HTMLCanvasElement; layer: HTMLElement; width: number; zoom: number; wanted: Wanted[]; begin: boolean;
  onMissing: (missing: boolean) => void; onFailed: (reason: unknown) => void;
}

function draw(page: PDFPageProxy, { frame, canvas, layer, width, zoom, wanted, begin, onMissing, onFailed }: Drawing): () => void {
  const natural = page.getViewport({ scale: 1 });
  // Within the padding of the frame; its style keeps the room of a scroll bar free.
  const scale = Math.max(0.2, ((width - 32) / natural.width) * zoom);
  const viewport = page.getViewport({ scale });
  const place = frame.scrollTop / (canvas.offsetHeight || 1);
  const density = Math.min(devicePixelRatio || 1, 2);
  // Drawn aside and shown when it is done: until then the page stands there as it was, only larger or smaller, and never blank.
  const aside = document.createElement("canvas");
  aside.width = Math.floor(viewport.width * density);
  aside.height = Math.floor(viewport.height * density);
  canvas.style.width = `${viewport.width}px`;
  canvas.style.height = `${viewport.height}px`;
  frame.scrollTop = begin ? 0 : place * viewport.height;
  const task = page.render({ canvas: aside, viewport, transform: density === 1 ? undefined : [density, 0, 0, density, 0, 0] });
  task.promise.then(() => {
    canvas.width = aside.width;
    canvas.height = aside.height;
    canvas.getContext("2d")?.drawImage(aside, 0, 0);
  }).catch((reason: unknown) => { if (!(reason instanceof RenderingCancelledException)) onFailed(reason); });
  layer.replaceChildren();
  layer.style.setProperty("--total-scale-factor", String(scale));
  layer.style.setProperty("--scale-factor", String(scale));
  const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport });
  text.render().then(() => {
    if (!wanted.length) return;
    const spans = wanted.map((quote) => findQuote(text.textContentItemsStr, quote.text, quote)).flat();
    onMissing(spans.length === 0);
    markAll(text.textDivs, spans);
    const first = layer.querySelector("mark");
    if (first && begin) {
      const [at, around] = [first.getBoundingClientRect(), layer.getBoundingClientRect()];
      frame.scrollTo({ top: Math.max(0, at.top - around.top - frame.clientHeight / 3), left: Math.max(0, at.left - around.left - 12) });
    }
  }, () => undefined);
  return () => { task.cancel(); text.cancel(); };
}

/** Two sentences may stand in one piece of the page's text: all of its marks are put in at once. */
function markAll(pieces: HTMLElement[], spans: Span[]): void {
  for (const item of new Set(spans.map((span) => span.item))) {
    const element = pieces[item];
    if (!element) continue;
    const marks = spans.filter((span) => span.item === item).sort((a, b) => a.from - b.from);
    const text = element.textContent ?? "";
    let done = 0;
    const nodes: (string | HTMLElement)[] = [];
    for (const { from, to } of marks) {
      if (to <= done) continue;
      const highlight = document.createElement("mark");
      highlight.textContent = text.slice(Math.max(from, done), to);
      nodes.push(text.slice(done, Math.max(from, done)), highlight);
      done = to;
    }
    element.replaceChildren(...nodes, text.slice(done));
  }
}
