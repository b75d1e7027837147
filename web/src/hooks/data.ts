/** What the server holds, as queries: one hook per thing; the long lists stand in `lists.ts`. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "~/api/client";
import { ApiError } from "~/api/http";
import type { KnowledgeBase, Page } from "~/api/types";
import { useT } from "~/i18n";
import { inWords } from "~/state/sampleBase";
import { queryClient } from "./live";

export const useMe = () => useQuery({ queryKey: ["me"], queryFn: api.me, retry: false, staleTime: Infinity });
export const useHealth = () => useQuery({ queryKey: ["health"], queryFn: api.health, refetchInterval: 15_000 });
export const useModels = () => useQuery({ queryKey: ["models"], queryFn: api.models, staleTime: 60_000 });
export function useBases() {
  const t = useT();
  const select = useCallback((page: Page<KnowledgeBase>) => ({ ...page, items: page.items.map((base) => inWords(base, t)) }), [t]);
  return useQuery({ queryKey: ["knowledge-bases"], queryFn: api.knowledgeBases, select });
}

export const useDocument = (id: string | null | undefined) =>
  useQuery({ queryKey: ["document", id], queryFn: () => api.document(id ?? ""), enabled: Boolean(id) });
export const useStructure = (id: string, wanted = true) => useQuery({ queryKey: ["structure", id], queryFn: () => api.structure(id), retry: false, enabled: wanted });
export const useChunk = (id: string | null | undefined) =>
  useQuery({ queryKey: ["chunk", id], queryFn: () => api.chunk(id ?? ""), enabled: Boolean(id), staleTime: Infinity });

export const useConversation = (id: string | null) =>
  useQuery({ queryKey: ["conversations", "one", id], queryFn: () => api.conversation(id ?? ""), enabled: Boolean(id) });

export function useMessages(conversation: string | null) {
  return useQuery({
    queryKey: ["messages", conversation],
    queryFn: async () => {
      const all = [];
      let cursor: string | null | undefined = null;
      do {
        const page = await api.messages(conversation ?? "", cursor ?? null);
        all.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor);
      return all;
    },
    enabled: Boolean(conversation),
    // Another device may have asked here; this browser's own tabs are told at once.
    refetchInterval: ({ state }) => (state.error instanceof ApiError && state.error.status === 404 ? false : 6000),
  });
}

/** A change on the server, after which the named lists are asked again. */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, ...keys: string[]) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] }))),
  });
}
