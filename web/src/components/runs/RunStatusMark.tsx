/** How a run ended, as a small mark. */
import { Check, CircleSlash, TriangleAlert, X } from "lucide-react";
import type { RunStatus } from "~/api/types";
import css from "./RunStatusMark.module.css";

export function RunStatusMark({ status }: { status: RunStatus }) {
  const [Icon, tone] = status === "completed" ? [Check, "good"] as const : status === "failed" ? [X, "bad"] as const : status === "stopped" ? [CircleSlash, "quiet"] as const : [TriangleAlert, "warn"] as const;
  return <span className={css.mark} data-tone={tone} aria-hidden="true"><Icon size={15} /></span>;
}
