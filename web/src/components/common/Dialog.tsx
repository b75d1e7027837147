/** The frame of everything that asks before the page goes on. `opener`: where the focus goes back to, when the entry of a menu opened this and is gone. */
import { Button, Modal } from "@mantine/core";
import type { ReactNode, RefObject } from "react";
import { useT } from "~/i18n";
import css from "./Dialog.module.css";

interface Properties { opened: boolean; title: string; onClose: () => void; opener?: RefObject<HTMLElement | null>; children: ReactNode }

export function Dialog({ opened, title, onClose, opener, children }: Properties) {
  const t = useT();
  return (
    <Modal
      opened={opened} onClose={onClose} returnFocus={!opener} onExitTransitionEnd={() => opener?.current?.focus()} title={title} centered lockScroll={false}
      closeButtonProps={{ "aria-label": t("app.close") }} classNames={{ title: css.title, header: `${css.ground} ${css.head}`, content: css.ground }}
    >
      {children}
    </Modal>
  );
}

/** What a dialog does, and before it the way out. */
export function DialogButtons({ onCancel, children }: { onCancel: () => void; children: ReactNode }) {
  const t = useT();
  return <div className={css.buttons}><Button variant="default" onClick={onCancel}>{t("app.cancel")}</Button>{children}</div>;
}
