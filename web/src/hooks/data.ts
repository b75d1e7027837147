/** What the server holds, as queries: one hook per list or thing. */
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { api } from "~/api/client";
import type { Document } from "~/api/types";
import { queryClient } from "./live";

const working = (document: Document) => document.status === "queued" || document.status === "extracting" || document.status === "indexing";

export const useMe = () => useQuery({ queryKey: ["me"], queryFn: api.me, retry: false, staleTime: Infinity });
export const useHealth = () => useQuery({ queryKey: ["health"], queryFn: api.health, refetchInterval: 15_000 });
export const useModels = () => useQuery({ queryKey: ["models"], queryFn: api.models, staleTime: 60_000 });
export const useBases = () => useQuery({ queryKey: ["knowledge-bases"], queryFn: api.knowledgeBases });

export function useDocuments(kb: string) {
  return useInfiniteQuery({
    queryKey: ["documents", kb],
    queryFn: ({ pageParam }) => api.documents(kb, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Vectors that come later change a mark only: looked at less often than a file that is being read.
    refetchInterval: ({ state }) => {
      const items = state.data?.pages.flatMap((page) => page.items) ?? [];
      return items.some(working) ? 1200 : items.some((item) => item.vectors === "pending" && item.status === "ready") ? 8000 : false;
    },
  });
}

export const useDocument = (id: string | null | undefined) =>
  useQuery({ queryKey: ["document", id], queryFn: () => api.document(id ?? ""), enabled: Boolean(id) });
export const useStructure = (id: string) => useQuery({ queryKey: ["structure", id], queryFn: () => api.structure(id), retry: false });
export const useChunk = (id: string | null | undefined) =>
  useQuery({ queryKey: ["chunk", id], queryFn: () => api.chunk(id ?? ""), enabled: Boolean(id), staleTime: Infinity });

export function useConversations(q: string) {
  return useInfiniteQuery({
    queryKey: ["conversations", q],
    queryFn: ({ pageParam }) => api.conversations(q, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
  });
}

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
    refetchInterval: 6000,
  });
}

export function useRuns() {
  return useInfiniteQuery({
    queryKey: ["runs"],
    queryFn: ({ pageParam }) => api.runs(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: 4000,
  });
}

/** A change on the server, after which the named lists are asked again. */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, ...keys: string[]) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] }))),
  });
}
