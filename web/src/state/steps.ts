/** How the calls of a round are shown: parallel reads as one group, everything else by itself. */
import type { Step } from "~/api/types";

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

export const isFailure = (step: Step) => step.status === "failed" || step.status === "denied" || step.blocked;
