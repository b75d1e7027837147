/** A run's rounds, model calls and tool calls on one time axis, in milliseconds since its start. */
import type { Step } from "~/api/types";
import type { Round, RunState } from "./runState";

export type Bar =
  | { kind: "model"; key: string; round: Round; from: number; to: number }
  | { kind: "tool"; key: string; step: Step; from: number; to: number };

export function timeline(state: RunState, now: number): { bars: Bar[]; total: number } {
  const zero = time(state.startedAt) ?? time(state.rounds[0]?.startedAt) ?? now;
  const end = (time(state.endedAt) ?? now) - zero;
  const bars: Bar[] = [];
  for (const round of state.rounds) {
    const from = (time(round.startedAt) ?? zero) - zero;
    bars.push({ kind: "model", key: `round-${round.round}`, round, from, to: round.finishedAt ? (time(round.finishedAt) ?? zero) - zero : end });
    for (const step of Object.values(state.calls).filter((item) => item.round === round.round)) {
      const start = (time(step.started_at) ?? zero + from) - zero;
      bars.push({ kind: "tool", key: step.call_id, step, from: start, to: step.duration_ms === null || step.duration_ms === undefined ? end : start + step.duration_ms });
    }
  }
  return { bars, total: Math.max(end, 1, ...bars.map((bar) => bar.to)) };
}

function time(iso: string | null | undefined): number | null {
  if (!iso) return null;
  const value = Date.parse(iso);
  return Number.isNaN(value) ? null : value;
}
