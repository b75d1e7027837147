/** Asks before something is deleted. */
import { Button, Modal } from "@mantine/core";
import { useT } from "~/i18n";
import css from "./Confirm.module.css";

interface Properties { opened: boolean; text: string; action: string; onConfirm: () => void; onClose: () => void }

export function Confirm({ opened, text, action, onConfirm, onClose }: Properties) {
  const t = useT();
  return (
    <Modal opened={opened} onClose={onClose} title={text} centered lockScroll={false} closeButtonProps={{ "aria-label": t("app.close") }} classNames={{ title: css.title }}>
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>{t("app.cancel")}</Button>
        <Button color="red" data-autofocus onClick={() => { onConfirm(); onClose(); }}>{action}</Button>
      </div>
    </Modal>
  );
}
