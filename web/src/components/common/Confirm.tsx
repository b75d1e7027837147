/** Asks before something is deleted. `opener`: where the focus goes back to, when the entry of a menu opened this and is gone. */
import { Button, Modal } from "@mantine/core";
import type { RefObject } from "react";
import { useT } from "~/i18n";
import css from "./Confirm.module.css";

interface Properties { opened: boolean; text: string; action: string; onConfirm: () => void; onClose: () => void; opener?: RefObject<HTMLElement | null> }

export function Confirm({ opened, text, action, onConfirm, onClose, opener }: Properties) {
  const t = useT();
  return (
    <Modal opened={opened} onClose={onClose} returnFocus={!opener} onExitTransitionEnd={() => opener?.current?.focus()} title={text} centered lockScroll={false} closeButtonProps={{ "aria-label": t("app.close") }} classNames={{ title: css.title }}>
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>{t("app.cancel")}</Button>
        <Button color="red" data-autofocus onClick={() => { onConfirm(); onClose(); }}>{action}</Button>
      </div>
    </Modal>
  );
}
