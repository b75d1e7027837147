/** What can be done with a document. */
import { Menu } from "@mantine/core";
import { Download, MoreHorizontal, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "~/api/client";
import type { Document } from "~/api/types";
import { Confirm } from "~/components/common/Confirm";
import { IconButton } from "~/components/common/IconButton";
import { useChange } from "~/hooks/data";
import { useT } from "~/i18n";

export function DocumentMenu({ document, onDeleted }: { document: Document; onDeleted?: () => void }) {
  const t = useT();
  const [asking, setAsking] = useState(false);
  const remove = useChange(api.deleteDocument, "documents", "knowledge-bases");
  const again = useChange(api.reindexDocument, "documents", "document");
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target><IconButton label={`${t("app.more")}: ${document.name}`}><MoreHorizontal size={17} /></IconButton></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={api.originalAddress(document.id)} download={document.name} leftSection={<Download size={15} />}>{t("source.download")}</Menu.Item>
          <Menu.Item leftSection={<RotateCcw size={15} />} onClick={() => again.mutate(document.id)}>{t("doc.retry")}</Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => setAsking(true)}>{t("app.delete")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking} text={t("kb.documentDeleteConfirm", { name: document.name })} action={t("app.delete")} onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate(document.id, { onSuccess: onDeleted })}
      />
    </>
  );
}
