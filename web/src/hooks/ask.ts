/** Asking: makes the conversation when there is none, starts the run, and shows the question at once. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { api } from "~/api/client";
import type { RunRequest } from "~/api/types";
import { usePreferences } from "~/i18n";
import { announce, queryClient, sent } from "./live";

interface Options { replaces?: string; web?: boolean; allKnowledge?: boolean }
let counter = 0;

export interface Ask { send: (text: string, options?: Options) => Promise<boolean>; sending: boolean; error: unknown; clear: () => void }

export function useAsk(conversationId: string | null): Ask {
  const navigate = useNavigate();
  const chosen = usePreferences();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const send = useCallback(async (text: string, options: Options = {}): Promise<boolean> => {
    setSending(true);
    setError(null);
    try {
      const id = conversationId ?? (await api.createConversation()).id;
      const body: RunRequest = { message: text, allow_web: options.web === true, use_knowledge: chosen.useKnowledge, ...chosen.limits };
      if (chosen.model) body.model = chosen.model;
      if (chosen.useKnowledge && chosen.knowledgeBases?.length) body.knowledge_base_ids = chosen.knowledgeBases;
      if (options.replaces) body.replaces_message_id = options.replaces;
      const run = await api.startRun(id, body);
      counter += 1;
      const item = { runId: run.run_id, key: `sent-${counter}`, text, at: new Date().toISOString(), replaces: options.replaces };
      // What is replaced has left the conversation: it must not come back as something just sent.
      sent.set((all) => ({ ...all, [id]: options.replaces ? [item] : [...(all[id] ?? []), item] }));
      announce(id);
      void queryClient.invalidateQueries({ queryKey: ["messages", id] });
      void queryClient.invalidateQueries({ queryKey: ["conversations"] });
      if (!conversationId) await navigate({ to: "/chat/$conversationId", params: { conversationId: id } });
      return true;
    } catch (problem) {
      setError(problem);
      return false;
    } finally {
      setSending(false);
    }
  }, [conversationId, chosen, navigate]);
  return { send, sending, error, clear: () => setError(null) };
}
