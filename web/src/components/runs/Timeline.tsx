/** What a run did when: each model call and each tool call as a bar, with its tokens, cost and time. */
import type { Source } from "~/api/types";
import { type Translator, useT } from "~/i18n";
import { argumentLine } from "~/state/stepWords";
import { isFailure } from "~/state/steps";
import type { RunState } from "~/state/runState";
import { type Bar, timeline } from "~/state/timeline";
import { NetworkBadge } from "~/components/chat/NetworkBadge";
import { StepStatus } from "~/components/chat/StepStatus";
import { toolIcon } from "~/components/chat/toolIcon";
import { Cpu } from "lucide-react";
import { costText } from "./cost";
import css from "./Timeline.module.css";

export function Timeline({ state }: { state: RunState }) {
  const { bars, total } = timeline(state, Date.now());
  const models = new Set(state.rounds.map((round) => round.model));
  return (
    <ol className={css.timeline}>
      {bars.map((bar) => <Row key={bar.key} bar={bar} total={total} sources={state.sources} mixed={models.size > 1} />)}
    </ol>
  );
}

function Row({ bar, total, sources, mixed }: { bar: Bar; total: number; sources: Source[]; mixed: boolean }) {
  const t = useT();
  const left = (bar.from / total) * 100;
  const width = Math.max(0.4, ((bar.to - bar.from) / total) * 100);
  const failed = bar.kind === "tool" && isFailure(bar.step);
  const cancelled = bar.kind === "tool" && bar.step.status === "cancelled";
  const Icon = bar.kind === "model" ? Cpu : toolIcon(bar.step.tool);
  return (
    <li className={css.row} data-kind={bar.kind} data-failed={failed || undefined} data-cancelled={cancelled || undefined}>
      <span className={css.label}>
        <Icon size={15} aria-hidden="true" />
        <span className={css.name}>{bar.kind === "model" ? t("runs.roundCall", { round: bar.round.round }) : t.maybe(`tool.${bar.step.tool}`, bar.step.tool)}</span>
        {bar.kind === "tool" && bar.step.status !== "succeeded" && <span className={css.status}><StepStatus step={bar.step} /></span>}
        {bar.kind === "tool" && bar.step.network && <NetworkBadge />}
      </span>
      <span className={css.detail} dir="auto">{bar.kind === "model" ? modelDetail(bar, mixed, t) : argumentLine(bar.step, t, sources)}</span>
      <span className={css.track} aria-hidden="true"><span style={{ insetInlineStart: `${left}%`, width: `${width}%` }} /></span>
      <span className={css.time}>{cancelled ? t("tool.cancelled") : t.duration(bar.to - bar.from)}</span>
    </li>
  );
}

/** What stands above for the whole run is said here only where the rounds differ in it. */
function modelDetail(bar: Bar & { kind: "model" }, mixed: boolean, t: Translator): string {
  const { usage, model } = bar.round;
  return [usage ? t("runs.tokensInOut", { input: usage.input_tokens, output: usage.output_tokens }) : null, usage?.cost?.complete ? costText(usage, t) : null, mixed ? model : null].filter(Boolean).join(" · ");
}
