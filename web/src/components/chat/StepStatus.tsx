/** How a step ended, as a small mark with its word for who cannot see it: the same in the chat and on the page of a run. */
import { Loader } from "@mantine/core";
import { Ban, Check, CircleSlash, X } from "lucide-react";
import type { Step } from "~/api/types";
import { useT } from "~/i18n";

export function StepStatus({ step }: { step: Step }) {
  const t = useT();
  return <><Icon step={step} /><span className="visually-hidden">{t(step.blocked ? "tool.blocked" : `tool.${step.status}`)}</span></>;
}

function Icon({ step }: { step: Step }) {
  if (step.blocked) return <Ban size={16} aria-hidden="true" />;
  if (step.status === "running" || step.status === "awaiting_approval") return <Loader size={14} aria-hidden="true" />;
  if (step.status === "succeeded") return <Check size={16} aria-hidden="true" />;
  return step.status === "cancelled" ? <CircleSlash size={15} aria-hidden="true" /> : <X size={16} aria-hidden="true" />;
}
