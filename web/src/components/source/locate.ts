/** Where in a PDF a passage is opened: what to mark, and on which page it stands. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import { api } from "~/api/client";
import { findQuote } from "~/state/findQuote";
import { sliceCharacters } from "~/state/liveText";
import type { PassageRef } from "./DocumentView";

export interface Wanted { text: string; before: string }
export interface Opening { page: number; wanted: Wanted[]; soft: boolean }
const context = 120;

/** A passage may go on over the end of the page that it begins on. */
export async function locate(pdf: PDFDocumentProxy, documentId: string, passage: PassageRef): Promise<Opening> {
  const first = passage.page ?? 1;
  if (!passage.quotes.length) return { page: first, wanted: [{ text: passage.quote, before: "" }], soft: passage.chunkId !== null };
  const from = Math.max(0, passage.start - context);
  const around = await api.content(documentId, from, passage.end - from).catch(() => null);
  const wanted = passage.quotes.map(({ text, start }) => ({ text, before: around ? sliceCharacters(around.text, 0, start - from) : "" }));
  for (let page = first; page <= Math.min(first + 2, pdf.numPages); page += 1) {
    const content = await (await pdf.getPage(page)).getTextContent();
    const items = content.items.flatMap((item) => ("str" in item ? [item.str] : []));
    if (wanted.some(({ text }) => findQuote(items, text, { exact: true }).length)) return { page, wanted, soft: false };
  }
  return { page: first, wanted, soft: false };
}
