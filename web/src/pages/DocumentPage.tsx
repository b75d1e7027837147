/** One document: what was extracted from it, its contents, and the document itself. */
import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { api } from "~/api/client";
import { Missing } from "~/components/common/Missing";
import { Notice } from "~/components/common/Notice";
import { Page } from "~/components/common/Page";
import { DocumentMenu } from "~/components/knowledge/DocumentMenu";
import { DocumentStatus } from "~/components/knowledge/DocumentStatus";
import { DocumentView, type PassageRef } from "~/components/source/DocumentView";
import { useBases, useDocument, useStructure } from "~/hooks/data";
import { useT } from "~/i18n";
import { showControls } from "~/state/controls";
import { joined } from "~/state/joined";
import { failureText } from "~/state/failures";
import base from "./BasePage.module.css";
import css from "./DocumentPage.module.css";

/** Where the contents stand above the document instead of beside it; the style has the same width. */
const narrow = "(max-width: 860px)";

export function DocumentPage({ documentId }: { documentId: string }) {
  const t = useT();
  const navigate = useNavigate();
  const document = useDocument(documentId);
  const structure = useStructure(documentId);
  const bases = useBases();
  const [passage, setPassage] = useState<PassageRef | null>(null);
  const headings = (structure.data?.items ?? []).filter((item) => item.kind === "heading" && item.text).slice(0, 400);
  const data = document.data;
  if (document.isError) return <Missing error={document.error} retry={() => void document.refetch()} to="/knowledge" label={t("app.toKnowledge")} />;
  if (!data) return null;
  const kb = data.knowledge_base_id;
  const home = bases.data?.items.find((item) => item.id === kb);
  const tables = structure.data?.tables?.length ?? 0;
  const facts = [
    data.pages ? t("doc.pages", { count: data.pages }) : null, tables ? t("doc.tables", { count: tables }) : null, data.chunk_count ? t("doc.passages", { count: data.chunk_count }) : null,
    data.language ? t.languageName(data.language) : null, t.bytes(data.size), t.date(data.created_at), t("doc.revision", { revision: data.revision }),
  ];
  const error = failureText(data, t);
  const unread = data.status === "failed" && data.chunk_count === 0;
  return (
    <Page
      wide title={data.name} lead={<span className="number">{joined(facts)}</span>}
      back={kb ? <Link to="/knowledge/$kbId" params={{ kbId: kb }} className={base.back}><ArrowLeft size={15} aria-hidden="true" /><span dir="auto">{home?.name ?? t("app.back")}</span></Link> : <Link to="/knowledge" className={base.back}><ArrowLeft size={15} aria-hidden="true" />{t("kb.title")}</Link>}
      actions={<><DocumentStatus document={data} said /><DocumentMenu document={data} onDeleted={() => void navigate(kb ? { to: "/knowledge/$kbId", params: { kbId: kb } } : { to: "/knowledge" })} /></>}
    >
      {error && (
        <div className={css.notice}>
          <Notice tone="error" title={t("doc.failed")} action={unread && <Button component="a" href={api.originalAddress(documentId)} download={data.name} size="compact-sm" variant="default">{t("source.download")}</Button>}>{error}</Notice>
        </div>
      )}
      {data.warnings?.map((warning) => <div key={warning} className={css.notice}><Notice tone="warning">{showControls(warning)}</Notice></div>)}
      {!unread && <div className={css.frame} data-headings={headings.length > 0 || undefined}>
        {headings.length > 0 && (
          <nav aria-label={t("doc.contents")} className={css.contents}>
            <details open={!matchMedia(narrow).matches}>
            <summary><h2>{t("doc.contents")}</h2></summary>
            <ul>
              {headings.map((item) => (
                <li key={`${item.start}-${item.text}`} data-level={Math.min(item.level ?? 1, 4)}>
                  <button type="button" dir="auto" onClick={() => setPassage({ quote: item.text ?? "", quotes: [], start: item.start, end: item.end, page: item.page ?? null, chunkId: null })}>{item.text}</button>
                </li>
              ))}
            </ul>
            </details>
          </nav>
        )}
        <div className={css.view}><DocumentView key={passage?.start ?? "start"} documentId={documentId} passage={passage} /></div>
      </div>}
    </Page>
  );
}
