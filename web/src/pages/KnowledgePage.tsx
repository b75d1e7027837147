/** All knowledge bases. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Library, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "~/api/client";
import { Empty } from "~/components/common/Empty";
import { Page } from "~/components/common/Page";
import { PathName } from "~/components/common/PathName";
import { Problem } from "~/components/common/Problem";
import { NewBase } from "~/components/knowledge/NewBase";
import { UploadList } from "~/components/knowledge/UploadList";
import { useBases, useChange } from "~/hooks/data";
import { useT } from "~/i18n";
import css from "./KnowledgePage.module.css";

export function KnowledgePage() {
  const t = useT();
  const bases = useBases();
  const [creating, setCreating] = useState(false);
  const sample = useChange(api.sampleKnowledgeBase, "knowledge-bases");
  const items = bases.data?.items ?? [];
  const create = <Button leftSection={<Plus size={16} />} onClick={() => setCreating(true)}>{t("kb.new")}</Button>;
  return (
    <Page wide title={t("kb.title")} lead={t("kb.lead")} actions={items.length > 0 && create}>
      <UploadList />
      {bases.isError && <Problem error={bases.error} retry={() => void bases.refetch()} />}
      {bases.isSuccess && !items.length && (
        <Empty icon={<Library size={22} />} title={t("kb.emptyTitle")} actions={<>{create}<Button variant="default" loading={sample.isPending} onClick={() => sample.mutate(undefined)}>{t("first.sampleButton")}</Button></>}>
          {t("kb.emptyHint")}
        </Empty>
      )}
      <ul className={css.bases}>
        {items.map((base) => (
          <li key={base.id}>
            <Link to="/knowledge/$kbId" params={{ kbId: base.id }} className={css.base}>
              <span className={css.name} dir="auto"><PathName name={base.name} /></span>
              {base.description && <span className={css.description} dir="auto">{base.description}</span>}
              <span className={css.counts}>{t("kb.documents", { count: base.document_count - base.failed_count })}{base.failed_count > 0 && ` · ${t("kb.failed", { count: base.failed_count })}`}{base.fact_count > 0 && ` · ${t("kb.facts", { count: base.fact_count })}`}</span>
            </Link>
          </li>
        ))}
      </ul>
      <NewBase opened={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}
