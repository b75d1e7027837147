/** One knowledge base: its documents, and putting more into it. */
import { Button, Menu, SegmentedControl, TextInput } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, FilePlus2, FolderUp, MoreHorizontal, PencilLine, Search, Trash2, Upload } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "~/api/http";
import { api } from "~/api/client";
import type { Document, OnConflict } from "~/api/types";
import { Confirm } from "~/components/common/Confirm";
import { Empty } from "~/components/common/Empty";
import { FilePicker } from "~/components/common/FilePicker";
import { IconButton } from "~/components/common/IconButton";
import { Missing } from "~/components/common/Missing";
import { Page } from "~/components/common/Page";
import { Rename } from "~/components/common/Rename";
import { Problem } from "~/components/common/Problem";
import { DocumentList } from "~/components/knowledge/DocumentList";
import { UploadList } from "~/components/knowledge/UploadList";
import { useBases, useChange } from "~/hooks/data";
import { useFileDrop } from "~/hooks/drop";
import { useDocuments } from "~/hooks/lists";
import { uploads } from "~/hooks/live";
import { useT } from "~/i18n";
import { prefer } from "~/state/preferences";
import type { Picked } from "~/state/uploadQueue";
import css from "./BasePage.module.css";

const hasFailed = (document: Document) => document.status === "failed" || (document.status === "ready" && document.chunk_count === 0);

export function BasePage({ kbId }: { kbId: string }) {
  const t = useT();
  const navigate = useNavigate();
  const bases = useBases();
  const base = bases.data?.items.find((item) => item.id === kbId);
  const documents = useDocuments(kbId);
  const [conflict, setConflict] = useState<OnConflict>("replace");
  const [words, setWords] = useState("");
  const [onlyFailed, setOnlyFailed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState<"delete" | "rename" | null>(null);
  const remove = useChange(api.deleteKnowledgeBase, "knowledge-bases");
  const rename = useChange((name: string) => api.renameKnowledgeBase(kbId, name), "knowledge-bases");
  const add = (files: Picked[]) => uploads.add(kbId, files, conflict);
  const { over, handlers } = useFileDrop(add);
  const { items: all, more } = documents;
  const shown = useMemo(() => {
    const wanted = words.trim().toLowerCase();
    const named = wanted ? all.filter((item) => (item.path || item.name).toLowerCase().includes(wanted)) : all;
    return onlyFailed ? named.filter(hasFailed) : named;
  }, [all, words, onlyFailed]);
  const failed = all.filter(hasFailed).length;
  useEffect(() => { if (!failed) setOnlyFailed(false); }, [failed]);
  // A name is looked for in all documents, also in those that were not scrolled to yet.
  useEffect(() => { if (words.trim()) more(); }, [words, more]);
  const missing = documents.error instanceof ApiError && documents.error.status === 404;
  if (missing && remove.isIdle) return <Missing error={documents.error} to="/knowledge" label={t("app.toKnowledge")} />;
  const ask = () => { prefer({ useKnowledge: true, knowledgeBases: [kbId] }); void navigate({ to: "/" }); };
  return (
    <div className={css.drop} {...handlers}>
      <Page
        wide fill title={base?.name ?? ""} lead={base?.description} back={<Link to="/knowledge" className={css.back}><ArrowLeft size={15} aria-hidden="true" />{t("kb.title")}</Link>}
        actions={
          <>
            <FilePicker variant="filled" icon={<FilePlus2 size={16} />} onPick={add}>{t("kb.upload")}</FilePicker>
            <FilePicker folder icon={<FolderUp size={16} />} onPick={add}>{t("kb.folder")}</FilePicker>
            <Menu position="bottom-end" shadow="md">
              <Menu.Target><IconButton ref={button} label={t("app.more")} variant="default" size={36}><MoreHorizontal size={18} /></IconButton></Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<PencilLine size={15} />} onClick={() => setAsking("rename")}>{t("app.rename")}</Menu.Item>
                <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => setAsking("delete")}>{t("app.delete")}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        }
      >
        {all.length > 0 && <div className={css.tools}>
          <TextInput type="search" size="sm" leftSection={<Search size={15} />} placeholder={t("kb.filter")} aria-label={t("kb.filter")} value={words} onChange={(event) => setWords(event.currentTarget.value)} />
          <span className={css.conflict}>
            <span className="quiet" id="conflict">{t("kb.conflict")}</span>
            <SegmentedControl
              size="xs" aria-labelledby="conflict" value={conflict} onChange={(value) => setConflict(value as OnConflict)}
              data={(["replace", "skip", "keep_both"] as const).map((value) => ({ value, label: t(`kb.conflict.${value}`) }))}
            />
          </span>
          {failed > 0 && <Button variant={onlyFailed ? "filled" : "light"} color="red" size="sm" aria-pressed={onlyFailed} onClick={() => setOnlyFailed(!onlyFailed)}>{t("kb.failed", { count: failed })}</Button>}
          <Button variant="default" size="sm" onClick={ask}>{t("kb.ask")}</Button>
        </div>}
        <UploadList kb={kbId} />
        {documents.error !== null && <Problem error={documents.error} retry={documents.again} />}
        {documents.ready && !all.length && <div className={css.zone}><Empty icon={<Upload size={22} />} title={t("kb.dropHere")}>{t("kb.noDocuments")}</Empty></div>}
        {all.length > 0 && (shown.length ? <DocumentList documents={shown} onEnd={more} /> : <p className="quiet">{t("kb.noMatch")}</p>)}
      </Page>
      {over && <div className={css.over}><Upload size={26} aria-hidden="true" />{t("kb.dropHere")}</div>}
      <Rename
        opened={asking === "rename"} name={base?.name ?? ""} busy={rename.isPending} error={rename.error} onClose={() => setAsking(null)} opener={button}
        onRename={(name) => rename.mutate(name, { onSuccess: () => setAsking(null) })}
      />
      <Confirm
        opened={asking === "delete"} text={t("kb.deleteConfirm", { name: base?.name ?? "" })} goes={t("kb.deleteGoes", { count: base?.document_count ?? all.length })} action={t("app.delete")} onClose={() => setAsking(null)} opener={button}
        onConfirm={() => remove.mutate(kbId, { onSuccess: () => { uploads.forget(kbId); void navigate({ to: "/knowledge" }); } })}
      />
    </div>
  );
}
