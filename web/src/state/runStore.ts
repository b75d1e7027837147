/** The runs this page knows, each one state folded from its events. Not React: components subscribe, the stream writes. */
import type { RunEvent } from "~/api/types";
import { fold, type RunState, startState } from "./runState";

export type Connection = "idle" | "live" | "lost" | "gone";
export interface RunView { state: RunState; connection: Connection }

export interface Sources {
  /** All durable events so far, for a run that ended. */
  read: (runId: string) => Promise<RunEvent[]>;
  follow: (runId: string, handlers: {
    after: () => number; ended: () => boolean; onEvent: (event: RunEvent) => void; onConnection: (state: "live" | "lost" | "gone") => void;
  }, signal: AbortSignal) => Promise<void>;
  /** Ends the pause between two attempts to connect. */
  connectNow: () => void;
  /** Calls back before the next picture, so that a hundred pieces a second cost one rendering each. */
  schedule: (callback: () => void) => void;
}

interface Entry { view: RunView; listeners: Set<() => void>; users: number; abort: AbortController | null; waiting: boolean; started: boolean }

export class RunStore {
  private entries = new Map<string, Entry>();
  constructor(private readonly sources: Sources) {}

  view(runId: string): RunView {
    return this.entry(runId).view;
  }

  subscribe(runId: string, listener: () => void): () => void {
    const entry = this.entry(runId);
    entry.listeners.add(listener);
    return () => entry.listeners.delete(listener);
  }

  /** Takes the run's events until the returned function is called. Several users share one stream. */
  use(runId: string, ended: boolean): () => void {
    const entry = this.entry(runId);
    entry.users += 1;
    if (!entry.started && !entry.view.state.ended) this.start(runId, entry, ended);
    return () => {
      entry.users -= 1;
      // A page change unmounts and mounts again at once: only what nobody took up again is closed.
      setTimeout(() => {
        if (entry.users > 0 || !entry.abort) return;
        entry.abort.abort();
        entry.abort = null;
        entry.started = false;
      }, 1000);
    };
  }

  /** Tries to connect at once. */
  again(runId: string): void {
    const entry = this.entry(runId);
    if (entry.started || !entry.users) this.sources.connectNow();
    else this.start(runId, entry, false);
  }

  private start(runId: string, entry: Entry, ended: boolean): void {
    entry.started = true;
    const abort = new AbortController();
    entry.abort = abort;
    const follow = () => this.sources.follow(runId, {
      after: () => entry.view.state.seq,
      ended: () => entry.view.state.ended,
      onEvent: (event) => this.take(entry, event),
      onConnection: (connection) => this.set(entry, { ...entry.view, connection }),
    }, abort.signal);
    const work = ended ? this.readThenFollow(runId, entry, follow) : follow();
    void work.catch(() => this.set(entry, { ...entry.view, connection: "lost" })).finally(() => {
      if (entry.abort === abort) {
        entry.abort = null;
        entry.started = entry.view.state.ended || entry.view.connection === "gone";
      }
    });
  }

  private async readThenFollow(runId: string, entry: Entry, follow: () => Promise<void>): Promise<void> {
    for (const event of await this.sources.read(runId)) this.take(entry, event);
    if (!entry.view.state.ended) await follow();
  }

  private take(entry: Entry, event: RunEvent): void {
    const state = fold(entry.view.state, event);
    if (state.gap && !entry.view.state.gap) throw new Error("an event is missing");
    if (state !== entry.view.state) this.set(entry, { ...entry.view, state: { ...state, gap: false } });
  }

  private set(entry: Entry, view: RunView): void {
    entry.view = view;
    if (entry.waiting) return;
    entry.waiting = true;
    this.sources.schedule(() => {
      entry.waiting = false;
      for (const listener of entry.listeners) listener();
    });
  }

  private entry(runId: string): Entry {
    let entry = this.entries.get(runId);
    if (!entry) {
      entry = { view: { state: startState(runId), connection: "idle" }, listeners: new Set(), users: 0, abort: null, waiting: false, started: false };
      this.entries.set(runId, entry);
    }
    return entry;
  }
}
