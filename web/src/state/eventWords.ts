/** What tells one event of a run from another of its kind: the tool, the round, how it ended. */
import type { RunEvent } from "~/api/types";

/** One line for each event, as the log names things; empty where the kind says it all. */
export function eventWords(events: RunEvent[]): string[] {
  const tools = new Map<unknown, unknown>();
  return events.map(({ data }) => {
    if (data.call_id !== undefined && data.tool !== undefined) tools.set(data.call_id, data.tool);
    const round = typeof data.round === "number" ? `round ${data.round}` : null;
    const words = [data.tool ?? tools.get(data.call_id), data.code, data.status, data.finish];
    return [round, ...words].filter((word) => typeof word === "string" && word !== "").join(" · ");
  });
}
