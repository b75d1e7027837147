/** The page's long-lived objects and the hooks that read them: runs, uploads, questions just sent. */
import { QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { api } from "~/api/client";
import { ApiError } from "~/api/http";
import { connectNow, followRun } from "~/api/stream";
import { sendFile } from "~/api/upload";
import { paced } from "~/state/pace";
import { type RunView, RunStore } from "~/state/runStore";
import { createStore } from "~/state/store";
import type { Sent } from "~/state/turns";
import type { Upload } from "~/state/uploads";
import { UploadQueue } from "~/state/uploadQueue";

export const queryClient = new QueryClient({
  defaultOptions: {
    // A machine without a network still reaches the server that runs on it.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 10_000,
      retry: (failures, error) => failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

export const runStore = new RunStore({
  read: async (runId) => (await api.runEvents(runId)).items,
  follow: followRun,
  connectNow,
  // A hidden tab paints nothing and gets no animation frames, but still has to take part.
  schedule: paced({
    now: () => performance.now(), later: setTimeout,
    frame: (callback) => { if (document.hidden) setTimeout(callback, 100); else requestAnimationFrame(callback); },
  }),
});

/** `wanted`: false leaves the run's events where they are, for as long as nobody looks at it. */
export function useRun(runId: string, ended = false, wanted = true): RunView {
  useEffect(() => (wanted ? runStore.use(runId, ended) : undefined), [runId, ended, wanted]);
  return useSyncExternalStore((listener) => runStore.subscribe(runId, listener), () => runStore.view(runId));
}

/** Whether the run still works. Renders again only when that changes, not at each piece of text. */
export function useRunWorking(runId: string, ended: boolean): boolean {
  useEffect(() => runStore.use(runId, ended), [runId, ended]);
  return useSyncExternalStore((listener) => runStore.subscribe(runId, listener), () => {
    const { state, connection } = runStore.view(runId);
    return !ended && !state.ended && connection !== "gone";
  });
}

const received = new Set<string>();

/** Thousands of files may arrive in a minute: the lists are asked again a few times a second at most. */
export const uploads = new UploadQueue(sendFile, (kb) => {
  if (!received.size) setTimeout(() => {
    for (const base of received) void queryClient.invalidateQueries({ queryKey: ["documents", base] });
    void queryClient.invalidateQueries({ queryKey: ["knowledge-bases"] });
    received.clear();
  }, 400);
  received.add(kb);
});

export function useUploads(): Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.snapshot);
}

export const sent = createStore<Record<string, Sent[]>>({});
const nothing: Sent[] = [];

export function useSent(conversationId: string | null): Sent[] {
  return useSyncExternalStore(sent.subscribe, () => (conversationId ? (sent.get()[conversationId] ?? nothing) : nothing));
}

/** Tells the other tabs of this browser that a conversation went on. */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("famulus") : null;
channel?.addEventListener("message", (event: MessageEvent<{ conversation: string }>) => {
  void queryClient.invalidateQueries({ queryKey: ["messages", event.data.conversation] });
  void queryClient.invalidateQueries({ queryKey: ["conversations"] });
});

export function announce(conversation: string): void {
  channel?.postMessage({ conversation });
}
