/** What can be done with a whole conversation: export, rename, delete. */
import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Download, MoreHorizontal, PencilLine, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "~/api/client";
import { Confirm } from "~/components/common/Confirm";
import { IconButton } from "~/components/common/IconButton";
import { Rename } from "~/components/common/Rename";
import { useChange } from "~/hooks/data";
import { forgetConversation, showConversation } from "~/hooks/lists";
import { useT } from "~/i18n";

export function ChatHeaderMenu({ conversationId, title }: { conversationId: string; title: string }) {
  const t = useT();
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState<"delete" | "rename" | null>(null);
  // Left before the lists are asked again: what is gone is not asked for once more.
  const remove = useChange(async (id: string) => {
    await api.deleteConversation(id);
    await navigate({ to: "/" });
    forgetConversation(id);
  }, "conversations");
  const rename = useChange((value: string) => api.renameConversation(conversationId, value), "conversations");
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target><IconButton ref={button} label={t("app.more")}><MoreHorizontal size={18} /></IconButton></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={api.exportAddress(conversationId, "md")} download leftSection={<Download size={15} />}>{t("chat.exportMd")}</Menu.Item>
          <Menu.Item component="a" href={api.exportAddress(conversationId, "json")} download leftSection={<Download size={15} />}>{t("chat.exportJson")}</Menu.Item>
          <Menu.Item leftSection={<PencilLine size={15} />} onClick={() => setAsking("rename")}>{t("app.rename")}</Menu.Item>
          <Menu.Item leftSection={<Trash2 size={15} />} color="red" onClick={() => setAsking("delete")}>{t("app.delete")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking === "delete"} text={t("chat.deleteConfirm")} goes={t("chat.deleteGoes")} action={t("app.delete")} onClose={() => setAsking(null)} opener={button}
        onConfirm={() => remove.mutate(conversationId)}
      />
      <Rename
        opened={asking === "rename"} name={title} busy={rename.isPending} error={rename.error} onClose={() => setAsking(null)} opener={button}
        onRename={(name) => rename.mutate(name, { onSuccess: (renamed) => { showConversation(renamed); setAsking(null); } })}
      />
    </>
  );
}
