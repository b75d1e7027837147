/** The documents of a base. Ten thousand of them stay smooth: only the rows in view are drawn. */
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { Document } from "~/api/types";
import { useT } from "~/i18n";
import { DocumentMenu } from "./DocumentMenu";
import { DocumentStatus } from "./DocumentStatus";
import { FileIcon } from "./FileIcon";
import css from "./DocumentList.module.css";

interface Properties { documents: Document[]; onEnd: () => void }

export function DocumentList({ documents, onEnd }: Properties) {
  const t = useT();
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: documents.length, getScrollElement: () => scroll.current, estimateSize: () => 64, overscan: 10 });
  const visible = rows.getVirtualItems();
  const end = visible.at(-1)?.index ?? 0;
  useEffect(() => { if (end >= documents.length - 20) onEnd(); }, [end, documents.length, onEnd]);
  return (
    <div ref={scroll} className={css.scroll} tabIndex={0} role="group" aria-label={t("kb.documents", { count: documents.length })}>
      <ul style={{ height: rows.getTotalSize() }}>
        {visible.map((row) => {
          const document = documents[row.index];
          return document && (
            <li key={document.id} ref={rows.measureElement} data-index={row.index} style={{ transform: `translateY(${row.start}px)` }} aria-setsize={documents.length} aria-posinset={row.index + 1}>
              <Row document={document} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Row({ document }: { document: Document }) {
  const t = useT();
  const facts = [
    document.pages ? t("doc.pages", { count: document.pages }) : null,
    document.chunk_count ? t("doc.passages", { count: document.chunk_count }) : null,
    document.language ? t.languageName(document.language) : null,
    t.bytes(document.size),
    t.date(document.created_at),
  ].filter(Boolean);
  return (
    <div className={css.row}>
      <FileIcon mediaType={document.media_type} />
      <div className={css.text}>
        <Link to="/documents/$documentId" params={{ documentId: document.id }} className={css.name} dir="auto">{document.path || document.name}</Link>
        <span className={css.facts}>{facts.join(" · ")}</span>
      </div>
      <DocumentStatus document={document} />
      <DocumentMenu document={document} />
    </div>
  );
}
