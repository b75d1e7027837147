/** The calls of one round in order; look-ups that ran at the same time stand together. */
import { useT } from "~/i18n";
import type { Step } from "~/api/types";
import { groupSteps } from "~/state/steps";
import { ToolCard } from "./ToolCard";
import css from "./Steps.module.css";

export function Steps({ steps, runId }: { steps: Step[]; runId: string }) {
  const t = useT();
  return (
    <div className={css.steps}>
      {groupSteps(steps).map((group) =>
        group.kind === "one"
          ? <ToolCard key={group.step.call_id} step={group.step} runId={runId} />
          : (
            <div key={group.steps[0]?.call_id} className={css.group} role="group" aria-label={t("tool.parallel", { count: group.steps.length })}>
              <div className={css.label}>{t("tool.parallel", { count: group.steps.length })}</div>
              {group.steps.map((step) => <ToolCard key={step.call_id} step={step} runId={runId} />)}
            </div>
          ))}
    </div>
  );
}
