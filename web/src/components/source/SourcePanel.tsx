/** Beside the answer: every passage of the run, used and not used; or one of them in its document. */
import { ArrowLeft, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Source } from "~/api/types";
import { IconButton } from "~/components/common/IconButton";
import { useCovering } from "~/hooks/covering";
import { useEscape } from "~/hooks/escape";
import { useT } from "~/i18n";
import { PassageList } from "./PassageList";
import { DocumentView } from "./DocumentView";
import { FactView } from "./FactView";
import { place } from "./place";
import css from "./SourcePanel.module.css";

interface Properties { sources: Source[]; text: string; current: Source | null; onOpen: (source: Source | null) => void; onClose: () => void }

export function SourcePanel({ sources, text, current, onOpen, onClose }: Properties) {
  const t = useT();
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (!panel.current?.contains(document.activeElement)) opener.current = document.activeElement;
    panel.current?.focus();
  }, [current?.chunk_id]);
  useCovering(panel);
  useEscape(onClose);
  // Who opened the source goes on reading where that was done.
  useEffect(() => () => sameNow(opener.current)?.focus({ preventScroll: true }), []);
  return (
    <aside ref={panel} className={css.panel} aria-label={t("source.panel")} tabIndex={-1}>
      <header className={css.header}>
        {current && <IconButton label={t("app.back")} onClick={() => onOpen(null)}><ArrowLeft size={18} /></IconButton>}
        <div className={css.title}>
          <h2 dir="auto">{current ? current.document_name : t("source.title")}</h2>
          {current && <p className="quiet" dir="auto">{place(current, t)}</p>}
        </div>
        <IconButton label={t("app.close")} onClick={onClose}><X size={18} /></IconButton>
      </header>
      <div className={css.body}>
        {current ? <Passage source={current} /> : <PassageList sources={sources} text={text} onOpen={onOpen} />}
      </div>
    </aside>
  );
}

/** The element itself, or what stands for it since an answer that just ended was drawn anew. */
function sameNow(element: Element | null): HTMLElement | undefined {
  if (element instanceof HTMLElement && element.isConnected) return element;
  const label = element?.getAttribute("aria-label");
  return label ? [...document.querySelectorAll<HTMLElement>("button[aria-label]")].find((button) => button.getAttribute("aria-label") === label) : undefined;
}

function Passage({ source }: { source: Source }) {
  if (!source.document_id) return <FactView source={source} />;
  return (
    <DocumentView
      key={source.chunk_id} documentId={source.document_id}
      passage={{ quote: source.quote, quotes: source.quotes ?? [], start: source.start, end: source.end, page: source.page ?? null, chunkId: source.chunk_id }}
    />
  );
}
