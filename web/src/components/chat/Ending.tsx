/** How a run ended, where that was not simply with an answer. */
import { Notice } from "~/components/common/Notice";
import { useT } from "~/i18n";
import { type RunState, textOf } from "~/state/runState";

export function Ending({ state }: { state: RunState }) {
  const t = useT();
  if (state.status === "stopped") {
    const done = Object.values(state.calls).filter((step) => step.status === "succeeded");
    const written = textOf(state).trim() !== "";
    const effects = done.filter((step) => step.effect === "write").length;
    return (
      <Notice tone="info" title={t("end.stopped")}>
        {done.length ? t("end.stoppedDone", { count: done.length }) : !written && t("end.stoppedNothing")} {written ? t("end.stoppedKept") : done.length > 0 && t("end.stoppedUnwritten")} {effects > 0 && t("end.stoppedEffects", { count: effects })}
      </Notice>
    );
  }
  if (state.status === "max_rounds_reached" || state.status === "budget_exceeded") return <Notice tone="warning">{t(`end.${state.status}`)}</Notice>;
  if (state.status !== "failed" && !state.problem) return null;
  return (
    <Notice tone="error" title={state.problem?.title ?? t("end.failed")}>
      {state.problem?.detail}
      {state.problem?.error_id && <div>{t("end.errorId", { id: state.problem.error_id })}</div>}
    </Notice>
  );
}
