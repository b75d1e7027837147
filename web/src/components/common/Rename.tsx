/** Asks for another name. `opener`: where the focus goes back to, when the entry of a menu opened this and is gone. */
import { Button, Modal, TextInput } from "@mantine/core";
import { type RefObject, useEffect, useState } from "react";
import { useT } from "~/i18n";
import { Problem } from "./Problem";

interface Properties { opened: boolean; name: string; busy: boolean; error: unknown; onRename: (name: string) => void; onClose: () => void; opener?: RefObject<HTMLElement | null> }

export function Rename({ opened, name, busy, error, onRename, onClose, opener }: Properties) {
  const t = useT();
  const [text, setText] = useState(name);
  useEffect(() => { if (opened) setText(name); }, [opened]);
  return (
    <Modal opened={opened} onClose={onClose} returnFocus={!opener} onExitTransitionEnd={() => opener?.current?.focus()} title={t("app.rename")} centered lockScroll={false} closeButtonProps={{ "aria-label": t("app.close") }}>
      <form onSubmit={(event) => { event.preventDefault(); if (text.trim()) onRename(text.trim()); }}>
        <TextInput data-autofocus label={t("kb.name")} value={text} onChange={(event) => setText(event.currentTarget.value)} mb="md" />
        {error !== null && <Problem error={error} />}
        <Button type="submit" mt={error === null ? 0 : "md"} disabled={!text.trim()} loading={busy}>{t("app.save")}</Button>
      </form>
    </Modal>
  );
}
