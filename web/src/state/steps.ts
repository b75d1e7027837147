/** How the calls of a round are shown: parallel reads as one group, everything else by itself; and each call in one line. */
import type { Step } from "~/api/types";
import { showControls } from "./controls";

export type StepGroup = { kind: "one"; step: Step } | { kind: "parallel"; steps: Step[] };

export function groupSteps(steps: Step[]): StepGroup[] {
  const groups: StepGroup[] = [];
  let reads: Step[] = [];
  const flush = () => {
    if (reads.length > 1) groups.push({ kind: "parallel", steps: reads });
    else if (reads[0]) groups.push({ kind: "one", step: reads[0] });
    reads = [];
  };
  for (const step of steps) {
    if (step.effect === "read" && !step.network && !step.blocked) reads.push(step);
    else {
      flush();
      groups.push({ kind: "one", step });
    }
  }
  flush();
  return groups;
}

/** The arguments on one line: a lone text stands for itself, others as `name: value`. */
export function argumentLine(step: Step): string {
  return showControls(lineOf(step));
}

function lineOf(step: Step): string {
  const entries = Object.entries(step.arguments ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const main = ["query", "expression", "name", "url", "chunk_id", "document_id"].find((name) => entries.some(([key]) => key === name));
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  if (entries.length === 1 && entries[0]) return text(entries[0][1]);
  if (main) {
    const rest = entries.filter(([key]) => key !== main).map(([key, value]) => `${key}: ${text(value)}`);
    return [text(entries.find(([key]) => key === main)?.[1]), ...rest].join(" · ");
  }
  return entries.map(([key, value]) => `${key}: ${text(value)}`).join(" · ");
}

export const isFailure = (step: Step) => step.status === "failed" || step.status === "denied" || step.blocked;
