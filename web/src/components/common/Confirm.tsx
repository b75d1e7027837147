/** Asks before something is deleted. `goes`: what goes with it. */
import { Button } from "@mantine/core";
import type { RefObject } from "react";
import { Dialog, DialogButtons } from "./Dialog";

interface Properties { opened: boolean; text: string; goes: string; action: string; onConfirm: () => void; onClose: () => void; opener?: RefObject<HTMLElement | null> }

export function Confirm({ opened, text, goes, action, onConfirm, onClose, opener }: Properties) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text} opener={opener}>
      <p className="quiet">{goes}</p>
      <DialogButtons onCancel={onClose}>
        <Button color="red" data-autofocus onClick={() => { onConfirm(); onClose(); }}>{action}</Button>
      </DialogButtons>
    </Dialog>
  );
}
