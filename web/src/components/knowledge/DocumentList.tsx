/** The documents of a base. Ten thousand of them stay smooth: only the rows in view are drawn. */
import { memo, useRef } from "react";
import type { Document } from "~/api/types";
import { AppLink } from "~/components/common/AppLink";
import { LongRows } from "~/components/common/LongRows";
import { useCut } from "~/hooks/cut";
import { useT } from "~/i18n";
import { failureText } from "~/state/failures";
import { joined } from "~/state/joined";
import { DocumentMenu } from "./DocumentMenu";
import { DocumentStatus } from "./DocumentStatus";
import { FileIcon } from "./FileIcon";
import css from "./DocumentList.module.css";

interface Properties { documents: Document[]; onEnd: () => void }

export function DocumentList({ documents, onEnd }: Properties) {
  const t = useT();
  return (
    <LongRows items={documents} height={64} keyOf={(document) => document.id} label={t("kb.documents", { count: documents.length })} fill onEnd={onEnd}>
      {(document) => <Row document={document} />}
    </LongRows>
  );
}

const Row = memo(function Row({ document }: { document: Document }) {
  const t = useT();
  const error = document.status === "failed" ? failureText(document, t) : null;
  const reason = useRef<HTMLSpanElement>(null);
  const cut = useCut(reason, error);
  const facts = [
    document.pages ? t("doc.pages", { count: document.pages }) : null,
    document.chunk_count ? t("doc.passages", { count: document.chunk_count }) : null,
    document.language ? t.languageName(document.language) : null,
    t.bytes(document.size),
  ];
  // A phone shows the mark of the state without its word.
  const stage = document.status === "ready" ? null : t(`doc.status.${document.status}`);
  // A phone has no room for these; the state's own card says the first.
  const more = [document.status === "ready" && document.vectors === "pending" && t("doc.vectorsPending"), t.date(document.created_at)];
  return (
    <div className={css.row} data-failed={error !== null || undefined}>
      <FileIcon mediaType={document.media_type} />
      <div className={css.text}>
        <AppLink to={`/documents/${document.id}`} className={css.name} dir="auto">{document.path || document.name}</AppLink>
        {error ? <span ref={reason} className={css.error} title={cut ? error : undefined} dir="auto">{error}</span> : <span className={css.facts}>{stage && <span className={css.stage}>{stage} · </span>}{joined(facts)}<span className={css.more}> · {joined(more)}</span></span>}
      </div>
      <DocumentStatus document={document} said={error !== null && !cut && !document.warnings?.length} />
      <DocumentMenu document={document} />
    </div>
  );
});
