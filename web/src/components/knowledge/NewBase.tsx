/** Makes a knowledge base. */
import { Button, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "~/api/client";
import { Dialog, DialogButtons } from "~/components/common/Dialog";
import { Problem } from "~/components/common/Problem";
import { useChange } from "~/hooks/data";
import { useT } from "~/i18n";
import { draft, keepDraft } from "~/state/drafts";

export function NewBase({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const [name, setName] = useState(() => draft("base"));
  const create = useChange(api.createKnowledgeBase, "knowledge-bases");
  const write = (value: string) => { setName(value); keepDraft("base", value); };
  const submit = () => create.mutate({ name: name.trim() }, {
    onSuccess: (base) => { write(""); onClose(); void navigate({ to: "/knowledge/$kbId", params: { kbId: base.id } }); },
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={t("kb.new")}>
      <form onSubmit={(event) => { event.preventDefault(); submit(); }}>
        <TextInput label={t("kb.name")} data-autofocus value={name} onChange={(event) => write(event.currentTarget.value)} />
        {create.isError && <Problem error={create.error} />}
        <DialogButtons onCancel={onClose}><Button type="submit" disabled={!name.trim()} loading={create.isPending}>{t("kb.create")}</Button></DialogButtons>
      </form>
    </Dialog>
  );
}
