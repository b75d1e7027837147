/** Asks for another name. */
import { Button, TextInput } from "@mantine/core";
import { type RefObject, useEffect, useState } from "react";
import { useT } from "~/i18n";
import { Dialog, DialogButtons } from "./Dialog";
import { Problem } from "./Problem";

interface Properties { opened: boolean; name: string; busy: boolean; error: unknown; onRename: (name: string) => void; onClose: () => void; opener?: RefObject<HTMLElement | null> }

export function Rename({ opened, name, busy, error, onRename, onClose, opener }: Properties) {
  const t = useT();
  const [text, setText] = useState(name);
  useEffect(() => { if (opened) setText(name); }, [opened]);
  return (
    <Dialog opened={opened} onClose={onClose} title={t("app.rename")} opener={opener}>
      <form onSubmit={(event) => { event.preventDefault(); if (text.trim()) onRename(text.trim()); }}>
        <TextInput data-autofocus label={t("kb.name")} value={text} onChange={(event) => setText(event.currentTarget.value)} />
        {error !== null && <Problem error={error} />}
        <DialogButtons onCancel={onClose}><Button type="submit" disabled={!text.trim()} loading={busy}>{t("app.save")}</Button></DialogButtons>
      </form>
    </Dialog>
  );
}
