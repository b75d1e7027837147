/** What can be done with a document. A list has thousands: until the first click each is no more than its button. */
import { Menu } from "@mantine/core";
import { Download, MoreHorizontal, RotateCcw, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "~/api/client";
import type { Document } from "~/api/types";
import { Confirm } from "~/components/common/Confirm";
import { RowButton } from "~/components/common/RowButton";
import { useChange } from "~/hooks/data";
import { forgetDocument, showDocuments } from "~/hooks/lists";
import { useT } from "~/i18n";

interface Properties { document: Document; onDeleted?: () => void }

export function DocumentMenu(properties: Properties) {
  const t = useT();
  const [used, setUsed] = useState(false);
  const label = `${t("app.more")}: ${properties.document.name}`;
  if (used) return <UsedMenu {...properties} label={label} />;
  return <RowButton label={label} aria-haspopup="menu" aria-expanded={false} onClick={() => setUsed(true)}><MoreHorizontal size={17} /></RowButton>;
}

function UsedMenu({ document, onDeleted, label }: Properties & { label: string }) {
  const t = useT();
  const [opened, setOpened] = useState(true);
  const button = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState(false);
  const remove = useChange(api.deleteDocument, "documents", "knowledge-bases");
  const again = useChange(api.reindexDocument, "document");
  const deleted = () => { forgetDocument(document.id); onDeleted?.(); };
  const reindexed = () => showDocuments([{ ...document, status: "queued", error: null }]);
  return (
    <>
      <Menu opened={opened} onChange={setOpened} position="bottom-end" shadow="md">
        <Menu.Target><RowButton ref={button} label={label} autoFocus><MoreHorizontal size={17} /></RowButton></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={api.originalAddress(document.id)} download={document.name} leftSection={<Download size={15} />}>{t("source.download")}</Menu.Item>
          <Menu.Item leftSection={<RotateCcw size={15} />} onClick={() => again.mutate(document.id, { onSuccess: reindexed })}>{t("doc.retry")}</Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => setAsking(true)}>{t("app.delete")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking} text={t("kb.documentDeleteConfirm", { name: document.name })} goes={t("kb.documentDeleteGoes")} action={t("app.delete")} onClose={() => setAsking(false)} opener={button}
        onConfirm={() => remove.mutate(document.id, { onSuccess: deleted })}
      />
    </>
  );
}
