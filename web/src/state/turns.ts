/** A conversation as turns: a question and the run that answers it, from the stored messages and what was just sent. */
import type { Message, RunStatus } from "~/api/types";

export interface Turn { key: string; question: Message; runId: string | null; answer: Message | null }
export interface Sent { runId: string | null; key: string; text: string; at: string; replaces?: string }

const endedStates = new Set<RunStatus>(["completed", "max_rounds_reached", "budget_exceeded", "stopped", "failed"]);
export const hasEnded = (status: RunStatus | null | undefined) => status !== null && status !== undefined && endedStates.has(status);

export function turnsOf(messages: Message[], sent: Sent[]): Turn[] {
  const stored = storedTurns(messages);
  const known = new Set(stored.map((turn) => turn.runId));
  const fresh = sent.filter((item) => item.runId === null || !known.has(item.runId));
  const replaced = fresh.find((item) => item.replaces)?.replaces;
  const cut = replaced ? stored.findIndex((turn) => turn.question.id === replaced) : -1;
  const kept = cut < 0 ? stored : stored.slice(0, cut);
  return [...kept, ...fresh.map((item): Turn => ({
    key: item.runId ?? item.key,
    question: { id: "", role: "user", text: item.text, created_at: item.at, run_id: item.runId, status: null, truncated: false, sources: [], feedback: null },
    runId: item.runId,
    answer: null,
  }))];
}

/** `now` with every turn of `before` that is still the same: what did not change is not drawn again. */
export function keptTurns(before: Turn[], now: Turn[]): Turn[] {
  const known = new Map(before.map((turn) => [turn.key, turn]));
  return now.map((turn) => {
    const old = known.get(turn.key);
    return old && old.question === turn.question && old.answer === turn.answer && old.runId === turn.runId ? old : turn;
  });
}

function storedTurns(messages: Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "user") {
      turns.push({ key: message.run_id ?? message.id, question: message, runId: message.run_id ?? null, answer: null });
      continue;
    }
    const turn = turns.at(-1);
    if (!turn || turn.answer) continue;
    turn.answer = message;
    turn.runId = message.run_id ?? turn.runId;
    turn.key = turn.runId ?? turn.key;
  }
  return turns;
}
