/** The long lists: conversations, runs, the documents of a base. Each is read page by page; asking again asks for a page or two, not for all. */
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "~/api/client";
import type { Conversation, Document, Page, RunBrief } from "~/api/types";
import { emptyList, type List, nextOf, withHead, withItems, without, withPage } from "~/state/lists";
import { hasEnded } from "~/state/turns";
import { queryClient } from "./live";

type Ask<T> = (cursor: string | null) => Promise<Page<T>>;
interface Item { id: string }
interface Options<T> { enabled?: boolean; every?: (list: List<T>) => number | false; keep?: boolean; gcTime?: number }

const empty: never[] = [];

export interface LongList<T> { items: T[]; ready: boolean; error: unknown; more: () => void; again: () => void }

/** `refresh` brings what is known up to date. */
function useLongList<T extends Item>(queryKey: QueryKey, ask: Ask<T>, refresh: (known: () => List<T>) => Promise<List<T>>, options: Options<T>): LongList<T> {
  const known = () => queryClient.getQueryData<List<T>>(queryKey) ?? (emptyList as List<T>);
  const query = useQuery({
    queryKey,
    queryFn: async () => (known().parts.length ? refresh(known) : withPage(emptyList as List<T>, null, await ask(null))),
    // The lists keep unchanged rows themselves; comparing ten thousand of them at each answer would cost a frame.
    structuralSharing: false,
    enabled: options.enabled,
    gcTime: options.gcTime,
    placeholderData: options.keep ? (previous) => previous : undefined,
    refetchInterval: ({ state }) => (state.data && options.every ? options.every(state.data) : false),
  });
  const [problem, setProblem] = useState<unknown>(null);
  const asking = useRef(false);
  const key = JSON.stringify(queryKey);
  const list = query.isPlaceholderData ? undefined : query.data;
  const next = list ? nextOf(list) : null;
  useEffect(() => setProblem(null), [key]);
  const more = useCallback(() => {
    if (asking.current || next === null || problem) return;
    asking.current = true;
    void ask(next)
      .then((page) => queryClient.setQueryData<List<T>>(queryKey, (now) => (now && nextOf(now) === next ? withPage(now, next, page) : now)), setProblem)
      .finally(() => { asking.current = false; });
  }, [key, next, problem]);
  const again = useCallback(() => { setProblem(null); void query.refetch(); }, [query.refetch]);
  return { items: query.data?.items ?? empty, ready: query.isSuccess, error: query.error ?? problem, more, again };
}

export function useConversations(q: string): LongList<Conversation> {
  const ask: Ask<Conversation> = (cursor) => api.conversations(q, cursor);
  const refresh = async (known: () => List<Conversation>) => {
    const page = await ask(null);
    return withHead(known(), page);
  };
  return useLongList(["conversations", "list", q], ask, refresh, { keep: true });
}

/** The newest page, and what is older than it and still `open`: a few by themselves, many by the pages that hold them. */
async function newest<T extends Item>(ask: Ask<T>, known: () => List<T>, open: (item: T) => boolean, one: (item: T) => Promise<T>): Promise<List<T>> {
  const page = await ask(null);
  const head = new Set(page.items.map((item) => item.id));
  const older = known().items.filter((item) => open(item) && !head.has(item.id));
  // What was deleted meanwhile stays until the list is opened anew.
  const answers = older.length > 30 ? await pagesOf(ask, page.next_cursor, older) : await Promise.all(older.map((item) => one(item).catch(() => item)));
  return withItems(withHead(known(), page), answers);
}

async function pagesOf<T extends Item>(ask: Ask<T>, from: string | null | undefined, wanted: T[]): Promise<T[]> {
  const missing = new Set(wanted.map((item) => item.id));
  const found: T[] = [];
  for (let cursor = from; cursor && missing.size;) {
    const page = await ask(cursor);
    for (const item of page.items) missing.delete(item.id);
    found.push(...page.items);
    cursor = page.next_cursor;
  }
  return found;
}

export function useRuns(): LongList<RunBrief> {
  const ask: Ask<RunBrief> = (cursor) => api.runs(cursor);
  const one = async (run: RunBrief) => ({ ...run, ...pick(await api.run(run.id)) });
  return useLongList(["runs"], ask, (known) => newest(ask, known, (run) => !hasEnded(run.status), one), { every: () => 4000 });
}

const pick = ({ status, model, rounds, usage, started_at, finished_at }: RunBrief | Awaited<ReturnType<typeof api.run>>) => ({ status, model, rounds, usage, started_at, finished_at });

const working = (document: Document) => document.status === "queued" || document.status === "extracting" || document.status === "indexing";
const settling = (document: Document) => working(document) || (document.status === "ready" && document.vectors === "pending");

export function useDocuments(kb: string, enabled = true): LongList<Document> {
  const ask: Ask<Document> = (cursor) => api.documents(kb, cursor);
  return useLongList(["documents", kb], ask, (known) => newest(ask, known, settling, (document) => api.document(document.id)), {
    // Pages of finished documents are not asked again while the list is open; who comes back reads it anew.
    enabled, gcTime: 0,
    // Vectors that come later change a mark only: looked at less often than a file that is being read.
    every: ({ items }) => (items.some(working) ? (items.length > 1000 ? 5000 : 1500) : items.some(settling) ? 8000 : false),
  });
}

/** A conversation under its new title, in the lists that show it. */
export function showConversation(conversation: Conversation): void {
  queryClient.setQueriesData<List<Conversation>>({ queryKey: ["conversations", "list"] }, (list) => (list ? withItems(list, [conversation]) : list));
}

export function forgetConversation(id: string): void {
  queryClient.removeQueries({ queryKey: ["conversations", "one", id] });
  queryClient.removeQueries({ queryKey: ["messages", id] });
  queryClient.setQueriesData<List<Conversation>>({ queryKey: ["conversations", "list"] }, (list) => (list ? without(list, id) : list));
}

/** Documents that were read by themselves, put into the lists that show them. */
export function showDocuments(documents: Document[]): void {
  queryClient.setQueriesData<List<Document>>({ queryKey: ["documents"] }, (list) => (list ? withItems(list, documents) : list));
}

export function forgetDocument(id: string): void {
  queryClient.setQueriesData<List<Document>>({ queryKey: ["documents"] }, (list) => (list ? without(list, id) : list));
}
