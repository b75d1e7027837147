/** A button that is an icon: its label is read aloud and shown as a tooltip. */
import { ActionIcon, Tooltip } from "@mantine/core";
import type { MouseEventHandler, ReactNode, Ref } from "react";

interface Properties {
  label: string; children: ReactNode; onClick?: MouseEventHandler<HTMLButtonElement>; disabled?: boolean; pressed?: boolean; expanded?: boolean;
  ref?: Ref<HTMLButtonElement>; "aria-expanded"?: boolean; variant?: "subtle" | "filled" | "light" | "default"; color?: string; size?: number | string;
}

export function IconButton({ label, children, pressed, expanded, variant = "subtle", color = "gray", size = 34, ...rest }: Properties) {
  const opened = expanded ?? rest["aria-expanded"];
  return (
    // An opened menu stands where the tooltip would.
    <Tooltip label={label} openDelay={350} disabled={opened === true && expanded === undefined}>
      <ActionIcon variant={variant} color={color} size={size} aria-label={label} aria-pressed={pressed} {...rest} aria-expanded={opened}>{children}</ActionIcon>
    </Tooltip>
  );
}
