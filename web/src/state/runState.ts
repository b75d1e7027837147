/** A run as the page shows it: a pure fold over its events. The same events give the same state, so reload is replay. */
import type { Problem, RunEvent, RunStatus, Source, Step, Usage } from "~/api/types";
import { citedNumbers } from "./citations";
import { countCharacters, emptyText, type LiveText, putAt, unitIndex } from "./liveText";

export interface ContextLayer { name: string; tokens: number; items: number; left_out: number }
export interface ContextUse { tokens: number; limit: number | null; layers: ContextLayer[] }
export interface Round { round: number; model: string; context: ContextUse | null; startedAt: string; finishedAt: string | null; usage: Usage | null; finish: string | null }
export interface Notice { code: string; message: string; round: number; data: Record<string, unknown> }
export interface Durations { retrieval_ms?: number; model_ms?: number; tools_ms?: number; overhead_ms?: number; first_token_ms?: number }
export interface Summary { status: RunStatus; rounds: number; calls: number; usage: Usage | null; durations: Durations }

/** What happened, in order: pieces of the answer, the calls of a round, notices. */
export type Block =
  | { kind: "text"; round: number; start: number; live: LiveText; finished: boolean }
  | { kind: "calls"; round: number; ids: string[] }
  | { kind: "notice"; notice: Notice };

export interface RunState {
  runId: string;
  status: RunStatus;
  seq: number;
  /** True when an event was missed: the stream has to be asked again from `seq`. */
  gap: boolean;
  startedAt: string | null;
  endedAt: string | null;
  request: Record<string, unknown>;
  blocks: Block[];
  reasoning: LiveText;
  calls: Record<string, Step>;
  rounds: Round[];
  sources: Source[];
  messageId: string | null;
  answer: string | null;
  truncated: boolean;
  problem: Problem | null;
  summary: Summary | null;
  ended: boolean;
}

export function startState(runId: string): RunState {
  return {
    runId, status: "queued", seq: 0, gap: false, startedAt: null, endedAt: null, request: {}, blocks: [], reasoning: emptyText, calls: {}, rounds: [],
    sources: [], messageId: null, answer: null, truncated: false, problem: null, summary: null, ended: false,
  };
}

const liveOnly = new Set(["chat.stream.v1", "chat.reasoning.v1"]);

export function fold(state: RunState, event: RunEvent): RunState {
  if (liveOnly.has(event.type)) return foldDelta(state, event);
  if (event.seq <= state.seq) return state;
  if (event.seq > state.seq + 1) return { ...state, gap: true };
  const handler = handlers[event.type];
  const next = { ...state, seq: event.seq, gap: false };
  return handler ? handler(next, event) : next;
}

export function foldAll(runId: string, events: RunEvent[]): RunState {
  return events.reduce(fold, startState(runId));
}

/** The whole text so far, over all rounds. */
export function textOf(state: RunState): string {
  return state.answer ?? state.blocks.map((block) => (block.kind === "text" ? block.live.text : "")).join("");
}

/** The runs that answered this question before, oldest first, and this one. */
export function versionsOf(state: RunState): string[] {
  const earlier = state.request.earlier_runs;
  return [...(Array.isArray(earlier) ? earlier.map(String) : []), state.runId];
}

/** The documents were searched, and the answer stands on none of them. */
export function foundNothing(state: RunState): boolean {
  return state.status === "completed" && citedNumbers(textOf(state)).size === 0 && Object.values(state.calls).some((step) => step.tool === "search_documents");
}

export function isWorking(state: RunState): boolean {
  return !state.ended;
}

function foldDelta(state: RunState, event: RunEvent): RunState {
  const delta = String(event.data.delta ?? "");
  const offset = Number(event.data.offset ?? 0);
  if (event.seq > state.seq) return { ...state, gap: true };
  if (state.ended || state.answer !== null) return state;
  if (event.type === "chat.reasoning.v1") {
    const reasoning = putAt(state.reasoning, offset, delta) ?? { text: delta, length: countCharacters(delta) };
    return { ...state, reasoning };
  }
  const index = state.blocks.findLastIndex((item) => item.kind === "text");
  const block = state.blocks[index];
  if (!block || block.kind !== "text" || block.finished) return state;
  // Text so far may begin in an earlier round, which its own response already settled.
  const known = Math.max(0, block.start - offset);
  const piece = known ? delta.slice(unitIndex(delta, known)) : delta;
  if (!piece) return state;
  // The server may count a separator between two rounds: the first piece of a round says where it begins.
  const start = block.live.length === 0 ? offset + known : block.start;
  const live = putAt(block.live, offset + known - start, piece);
  if (!live) return { ...state, gap: true };
  return { ...state, blocks: state.blocks.with(index, { ...block, start, live }) };
}

type Handler = (state: RunState, event: RunEvent) => RunState;

function textEnd(state: RunState): number {
  const last = state.blocks.findLast((block) => block.kind === "text");
  return last?.kind === "text" ? last.start + last.live.length : 0;
}

const handlers: Record<string, Handler> = {
  "run.started.v1": (state, event) => ({
    ...state, status: "running", startedAt: event.time, request: (event.data.request as Record<string, unknown> | undefined) ?? event.data,
  }),

  "run.round.v1": (state, event) => {
    const round = Number(event.data.round);
    return {
      ...state,
      status: "running",
      blocks: [...state.blocks, { kind: "text", round, start: textEnd(state), live: emptyText, finished: false }],
      rounds: [...state.rounds, {
        round, model: String(event.data.model ?? ""), context: contextOf(event.data.context), startedAt: event.time, finishedAt: null, usage: null, finish: null,
      }],
    };
  },

  "run.response.v1": (state, event) => {
    const round = Number(event.data.round);
    const text = String(event.data.text ?? "");
    const usage = (event.data.usage as Usage | undefined) ?? null;
    const finish = event.data.finish === undefined ? null : String(event.data.finish);
    return {
      ...state,
      blocks: state.blocks.map((block) =>
        block.kind === "text" && block.round === round ? { ...block, live: { text, length: countCharacters(text) }, finished: true } : block),
      rounds: state.rounds.map((item) => (item.round === round ? { ...item, usage, finish, finishedAt: event.time } : item)),
    };
  },

  "chat.tool-call.v1": (state, event) => {
    const step = event.data as unknown as Step;
    const known = state.calls[step.call_id];
    const calls = { ...state.calls, [step.call_id]: { ...known, ...step, preview: step.preview ?? known?.preview ?? "" } };
    const status: RunStatus = step.status === "awaiting_approval" ? "waiting_approval" : "running";
    return { ...state, status, calls, blocks: known ? state.blocks : withCall(state.blocks, step) };
  },

  "chat.tool-result.v1": (state, event) => {
    const result = event.data as unknown as Step & { is_error?: boolean };
    const known = state.calls[result.call_id];
    if (!known) return state;
    const { is_error: failed, ...rest } = result;
    const error = failed ? (known.error ?? null) : null;
    return { ...state, status: "running", calls: { ...state.calls, [result.call_id]: { ...known, ...rest, error } } };
  },

  "chat.sources.v1": (state, event) => ({ ...state, sources: mergeSources(state.sources, (event.data.sources as Source[] | undefined) ?? []) }),

  "run.notice.v1": (state, event) => {
    const { code, kind, message, detail, ...data } = event.data;
    const round = Number(event.data.round ?? state.rounds.at(-1)?.round ?? 0);
    const notice = { code: String(code ?? kind ?? "notice"), message: String(message ?? detail ?? ""), round, data };
    return { ...state, blocks: [...state.blocks, { kind: "notice", notice }] };
  },

  "run.error.v1": (state, event) => ({ ...state, problem: event.data as unknown as Problem }),

  "chat.done.v1": (state, event) => ({
    ...state,
    answer: String(event.data.text ?? ""),
    messageId: event.data.message_id ? String(event.data.message_id) : null,
    status: (event.data.status as RunStatus | undefined) ?? state.status,
    truncated: Boolean(event.data.truncated),
    sources: mergeSources(state.sources, (event.data.sources as Source[] | undefined) ?? []),
    calls: withoutRunning(state.calls),
  }),

  "run.summary.v1": (state, event) => ({
    ...state,
    status: (event.data.status as RunStatus | undefined) ?? state.status,
    summary: event.data as unknown as Summary,
    endedAt: event.time,
    calls: withoutRunning(state.calls),
    ended: true,
  }),
};

function withCall(blocks: Block[], step: Step): Block[] {
  const index = blocks.findLastIndex((block) => block.kind === "calls" && block.round === step.round);
  const block = blocks[index];
  if (block?.kind === "calls") return blocks.with(index, { ...block, ids: [...block.ids, step.call_id] });
  return [...blocks, { kind: "calls", round: step.round, ids: [step.call_id] }];
}

/** A run that ended has nothing that still runs: what has no result was cancelled with it. */
function withoutRunning(calls: Record<string, Step>): Record<string, Step> {
  const open = Object.values(calls).filter((step) => step.status === "running" || step.status === "awaiting_approval");
  if (!open.length) return calls;
  return { ...calls, ...Object.fromEntries(open.map((step) => [step.call_id, { ...step, status: "cancelled" as const }])) };
}

function mergeSources(known: Source[], more: Source[]): Source[] {
  const byNumber = new Map(known.map((source) => [source.n, source]));
  for (const source of more) byNumber.set(source.n, { ...byNumber.get(source.n), ...source });
  return [...byNumber.values()].sort((a, b) => a.n - b.n);
}

function contextOf(value: unknown): ContextUse | null {
  if (!value || typeof value !== "object") return null;
  const context = value as Partial<ContextUse>;
  return { tokens: Number(context.tokens ?? 0), limit: context.limit ?? null, layers: context.layers ?? [] };
}
