/** What can be done with a whole conversation: export, rename, delete. */
import { Button, Menu, Modal, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Download, MoreHorizontal, PencilLine, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "~/api/client";
import { Confirm } from "~/components/common/Confirm";
import { IconButton } from "~/components/common/IconButton";
import { useChange } from "~/hooks/data";
import { useT } from "~/i18n";

export function ChatHeaderMenu({ conversationId, title }: { conversationId: string; title: string }) {
  const t = useT();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<"delete" | "rename" | null>(null);
  const [name, setName] = useState(title);
  const remove = useChange(api.deleteConversation, "conversations");
  const rename = useChange((value: string) => api.renameConversation(conversationId, value), "conversations");
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target><IconButton label={t("app.more")}><MoreHorizontal size={18} /></IconButton></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={api.exportAddress(conversationId, "md")} download leftSection={<Download size={15} />}>{t("chat.exportMd")}</Menu.Item>
          <Menu.Item component="a" href={api.exportAddress(conversationId, "json")} download leftSection={<Download size={15} />}>{t("chat.exportJson")}</Menu.Item>
          <Menu.Item leftSection={<PencilLine size={15} />} onClick={() => { setName(title); setAsking("rename"); }}>{t("app.rename")}</Menu.Item>
          <Menu.Item leftSection={<Trash2 size={15} />} color="red" onClick={() => setAsking("delete")}>{t("app.delete")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking === "delete"} text={t("chat.deleteConfirm")} action={t("app.delete")} onClose={() => setAsking(null)}
        onConfirm={() => remove.mutate(conversationId, { onSuccess: () => void navigate({ to: "/" }) })}
      />
      <Modal opened={asking === "rename"} onClose={() => setAsking(null)} title={t("app.rename")} centered lockScroll={false} closeButtonProps={{ "aria-label": t("app.close") }}>
        <form onSubmit={(event) => { event.preventDefault(); rename.mutate(name.trim(), { onSuccess: () => setAsking(null) }); }}>
          <TextInput data-autofocus aria-label={t("kb.name")} value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Button type="submit" mt="md" disabled={!name.trim()} loading={rename.isPending}>{t("app.save")}</Button>
        </form>
      </Modal>
    </>
  );
}
