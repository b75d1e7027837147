/** A button with a card that comes with its first click: until then no more than the button is made, which is what a new chat has to wait for. */
import { Popover, type PopoverProps, UnstyledButton, type UnstyledButtonProps } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";

interface Properties extends Pick<PopoverProps, "position" | "width" | "withArrow"> {
  button: UnstyledButtonProps & { children: ReactNode; "aria-label"?: string; "data-leaves"?: boolean };
  className?: string;
  children: ReactNode;
}

export function LatePopover(properties: Properties) {
  const [used, setUsed] = useState(false);
  if (used) return <Opening {...properties} />;
  return <UnstyledButton {...properties.button} aria-haspopup="dialog" aria-expanded={false} onClick={() => setUsed(true)} />;
}

function Opening({ button, className, children, ...rest }: Properties) {
  const target = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  // Only after its button has the focus: it goes back there.
  useEffect(() => { target.current?.focus(); setOpened(true); }, []);
  return (
    <Popover shadow="md" opened={opened} onChange={setOpened} trapFocus returnFocus {...rest}>
      <Popover.Target>
        {/* Escape closes it also in the moment before the card has taken the focus. */}
        <UnstyledButton ref={target} {...button} onClick={() => setOpened(!opened)} onKeyDown={(event) => { if (event.key === "Escape") setOpened(false); }} />
      </Popover.Target>
      <Popover.Dropdown className={className}>{children}</Popover.Dropdown>
    </Popover>
  );
}
