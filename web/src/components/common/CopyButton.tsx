import { ActionIcon, Tooltip } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useT } from "~/i18n";

export function CopyButton({ text, label, size = 28 }: { text: () => string; label?: string; size?: number }) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  const name = copied ? t("app.copied") : (label ?? t("app.copy"));
  return (
    <Tooltip label={name} openDelay={300}>
      <ActionIcon variant="subtle" color="gray" size={size} aria-label={name} onClick={() => void copy().catch(() => undefined)}>
        {copied ? <Check size={16} /> : <Copy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
