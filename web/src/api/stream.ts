/** A run's events, followed to the end: reconnects by itself and resumes after the last durable event that was seen. */
import { address, headers, problemOf } from "./http";
import { parseNamed } from "./names";
import { sseParser } from "./sse";
import type { RunEvent } from "./types";

export interface Follow {
  /** The last durable `seq` that was taken in; asked again at each connection. */
  after: () => number;
  /** True once the last event was taken in. */
  ended: () => boolean;
  onEvent: (event: RunEvent) => void;
  onConnection: (state: "live" | "lost" | "gone") => void;
}

const pauses = new Set<() => void>();

/** Ends all pauses between two attempts: somebody asks for it, or the device has its network again. */
export function connectNow(): void {
  for (const go of pauses) go();
}
globalThis.addEventListener?.("online", connectNow);

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const go = () => { clearTimeout(timer); pauses.delete(go); signal.removeEventListener("abort", go); resolve(); };
    const timer = setTimeout(go, ms);
    pauses.add(go);
    signal.addEventListener("abort", go, { once: true });
  });

async function connect(runId: string, follow: Follow, signal: AbortSignal): Promise<void> {
  const after = follow.after();
  const response = await fetch(address(`/runs/${encodeURIComponent(runId)}/events`, { after: after || undefined }), {
    headers: headers(after ? { Accept: "text/event-stream", "Last-Event-ID": String(after) } : { Accept: "text/event-stream" }),
    signal,
    credentials: "same-origin",
    cache: "no-store",
  });
  if (!response.ok || !response.body) throw await problemOf(response);
  follow.onConnection("live");
  const parse = sseParser((message) => follow.onEvent(parseNamed(message.data) as RunEvent));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parse(value);
  }
}

/** Resolves when the run has ended, is not there, or `signal` aborts. */
export async function followRun(runId: string, follow: Follow, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted && !follow.ended()) {
    const before = follow.after();
    try {
      await connect(runId, follow, signal);
    } catch (error) {
      if (signal.aborted) return;
      const status = (error as { status?: number }).status;
      if (status === 401 || status === 404) {
        follow.onConnection("gone");
        return;
      }
    }
    if (signal.aborted || follow.ended()) return;
    failures = follow.after() > before ? 0 : failures + 1;
    follow.onConnection("lost");
    await pause(Math.min(250 * 2 ** failures, 8000), signal);
  }
}
