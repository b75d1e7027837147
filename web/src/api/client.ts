/** The server's calls, one function each. Components get these through hooks and never see a URL. */
import { address, call } from "./http";
import type {
  Chunk, Content, Conversation, Document, Health, KnowledgeBase, Me, Message, ModelList, ModelTest, Page, Run, RunAccepted, RunBrief, RunEvent, RunRequest,
  SearchRequest, SearchResult, Structure,
} from "./types";

const at = encodeURIComponent;

export const api = {
  me: () => call<Me>("GET", "/me"),
  signIn: (token: string) => call<void>("POST", "/session", { body: { token } }),
  signOut: () => call<void>("DELETE", "/session"),
  health: () => call<Health>("GET", "/health"),

  models: () => call<ModelList>("GET", "/models"),
  testModel: (model: string) => call<ModelTest>("POST", "/models/test", { body: { model } }),

  knowledgeBases: () => call<Page<KnowledgeBase>>("GET", "/knowledge-bases", { query: { limit: 200 } }),
  createKnowledgeBase: (body: { name: string; description?: string }) => call<KnowledgeBase>("POST", "/knowledge-bases", { body }),
  sampleKnowledgeBase: () => call<KnowledgeBase>("POST", "/knowledge-bases/sample"),
  renameKnowledgeBase: (id: string, name: string) => call<KnowledgeBase>("PATCH", `/knowledge-bases/${at(id)}`, { body: { name } }),
  deleteKnowledgeBase: (id: string) => call<void>("DELETE", `/knowledge-bases/${at(id)}`),
  documents: (kb: string, cursor: string | null) =>
    call<Page<Document>>("GET", `/knowledge-bases/${at(kb)}/documents`, { query: { limit: 200, cursor, order: "newest" } }),
  document: (id: string) => call<Document>("GET", `/documents/${at(id)}`),
  deleteDocument: (id: string) => call<void>("DELETE", `/documents/${at(id)}`),
  reindexDocument: (id: string) => call<void>("POST", `/documents/${at(id)}/reindex`),
  content: (id: string, offset: number, length: number) =>
    call<Content>("GET", `/documents/${at(id)}/content`, { query: { offset, length } }),
  structure: (id: string) => call<Structure>("GET", `/documents/${at(id)}/structure`),
  originalAddress: (id: string) => address(`/documents/${at(id)}/original`),
  chunk: (id: string) => call<Chunk>("GET", `/chunks/${at(id)}`),
  search: (body: SearchRequest, signal?: AbortSignal) => call<SearchResult>("POST", "/search", { body, signal }),

  conversations: (q: string, cursor: string | null) => call<Page<Conversation>>("GET", "/conversations", { query: { limit: 100, q, cursor } }),
  conversation: (id: string) => call<Conversation>("GET", `/conversations/${at(id)}`),
  createConversation: (title?: string) => call<Conversation>("POST", "/conversations", { body: title ? { title } : {} }),
  renameConversation: (id: string, title: string) => call<Conversation>("PATCH", `/conversations/${at(id)}`, { body: { title } }),
  deleteConversation: (id: string) => call<void>("DELETE", `/conversations/${at(id)}`),
  branchConversation: (id: string, before?: string) =>
    call<Conversation>("POST", `/conversations/${at(id)}/branches`, { body: before ? { before_message_id: before } : {} }),
  messages: (id: string, cursor: string | null) =>
    call<Page<Message>>("GET", `/conversations/${at(id)}/messages`, { query: { limit: 200, cursor } }),
  exportAddress: (id: string, format: "md" | "json") => address(`/conversations/${at(id)}/export`, { format }),
  feedback: (message: string, rating: 1 | -1, comment?: string) =>
    call<void>("POST", `/messages/${at(message)}/feedback`, { body: comment ? { rating, comment } : { rating } }),

  startRun: (conversation: string, body: RunRequest) => call<RunAccepted>("POST", `/conversations/${at(conversation)}/runs`, { body }),
  runs: (cursor: string | null, status?: string) => call<Page<RunBrief>>("GET", "/runs", { query: { limit: 100, cursor, status } }),
  run: (id: string) => call<Run>("GET", `/runs/${at(id)}`),
  stopRun: (id: string) => call<void>("POST", `/runs/${at(id)}/stop`),
  runEvents: (id: string) => call<{ items: RunEvent[] }>("GET", `/runs/${at(id)}/events`),
  artifact: async (run: string, artifact: string): Promise<string> => {
    const response = await fetch(address(`/runs/${at(run)}/artifacts/${at(artifact)}`), { credentials: "same-origin" });
    return response.text();
  },
};
