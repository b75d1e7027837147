/** Buttons that open the system's file and folder dialogs. */
import { Button } from "@mantine/core";
import { type ChangeEvent, type ReactNode, useRef } from "react";
import type { Picked } from "~/state/uploadQueue";

interface Properties { folder?: boolean; children: ReactNode; icon?: ReactNode; variant?: "filled" | "default" | "light"; onPick: (files: Picked[]) => void; disabled?: boolean }

export function FilePicker({ folder = false, children, icon, variant = "default", onPick, disabled }: Properties) {
  const input = useRef<HTMLInputElement>(null);
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])].map((file): Picked => ({ file, path: file.webkitRelativePath }));
    event.target.value = "";
    if (files.length) onPick(files);
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden onChange={change} {...(folder ? { webkitdirectory: "" } : {})} />
      <Button variant={variant} leftSection={icon} disabled={disabled} onClick={() => input.current?.click()}>{children}</Button>
    </>
  );
}
