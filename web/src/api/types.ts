/** The values that travel between the page and the server, in the words of the HTTP contract. */

export type RunStatus =
  | "queued" | "running" | "waiting_approval" | "completed" | "max_rounds_reached" | "budget_exceeded" | "stopped" | "failed";

export interface Page<T> { items: T[]; next_cursor: string | null }
export interface Problem { type?: string; title: string; status?: number; detail?: string; error_id?: string }
export interface Me { user: { id: string; name: string }; tenant: string; role: "admin" | "member" }
export interface Cost { amount: number | string; currency: string; complete: boolean }
export interface Usage { input_tokens: number; output_tokens: number; cost?: Cost | null }

export interface KnowledgeBase {
  id: string; name: string; description?: string | null; scope?: string; sensitivity?: string;
  document_count: number; fact_count: number; created_at?: string;
}
export type DocumentStatus = "queued" | "extracting" | "indexing" | "ready" | "failed";
export interface Document {
  id: string; name: string; knowledge_base_id?: string; media_type: string; size: number; status: DocumentStatus;
  error?: string | Problem | null; pages?: number | null; chunk_count: number; vectors: "pending" | "ready" | "off";
  warnings: string[]; language?: string | null; created_at: string; revision: number; tables?: number | null; path?: string | null;
}
export interface UploadItem { document_id: string | null; name: string; status: DocumentStatus; duplicate_of?: string | null; error?: string | Problem | null }
export type OnConflict = "skip" | "replace" | "keep_both";
export interface Content { text: string; offset: number; length: number; total: number; next_offset: number | null }
export interface StructureItem { kind: string; level?: number | null; text?: string | null; start: number; end: number; page?: number | null }
export interface Box { page: number; x: number; y: number; width: number; height: number }
export interface Chunk {
  chunk_id: string; document_id?: string | null; fact_id?: string | null; document_name: string; page?: number | null; section: string[];
  text: string; start: number; end: number; previous?: string | null; next?: string | null; boxes?: Box[];
}
export interface Hit {
  chunk_id: string; kind: "document" | "fact"; document_id?: string | null; fact_id?: string | null; document_name: string;
  knowledge_base_id: string; text: string; score: number; keyword_score?: number | null; vector_score?: number | null;
  page?: number | null; section: string[]; start: number; end: number; category?: string | null;
}
export type SearchMode = "hybrid" | "keyword" | "vector";
export interface SearchRequest {
  query: string; knowledge_base_ids?: string[]; k?: number; score_threshold?: number; mode?: SearchMode; media_types?: string[];
  created_after?: string; created_before?: string;
}
export interface SearchResult { hits: Hit[]; used_modes: string[]; took_ms: number; cached: boolean }

export interface Conversation { id: string; title?: string | null; created_at?: string; updated_at?: string; private?: boolean; running_run_id?: string | null }
export interface Message {
  id: string; role: "user" | "assistant"; text: string; created_at: string; run_id?: string | null; status?: RunStatus | null;
  truncated?: boolean | null; sources?: Source[] | null; feedback?: 1 | -1 | null;
}
export interface Source {
  n: number; chunk_id: string; document_id?: string | null; fact_id?: string | null; document_name: string; page?: number | null;
  section: string[]; start: number; end: number; quote: string; score: number; support: "strong" | "weak" | "none";
}
export type StepStatus = "awaiting_approval" | "running" | "succeeded" | "failed" | "denied" | "cancelled";
export interface Step {
  round: number; call_id: string; tool: string; arguments: Record<string, unknown> | null; server?: string | null; effect: "read" | "write";
  network: boolean; blocked: boolean; cached: boolean; status: StepStatus; preview: string; truncated: boolean; artifact_id?: string | null;
  error?: string | null; started_at?: string | null; duration_ms?: number | null;
}
export interface Budget { amount: number; currency: string }
export interface RunRequest {
  message: string; model?: string; knowledge_base_ids?: string[]; use_knowledge?: boolean; allow_web?: boolean;
  max_rounds?: number; max_calls_per_round?: number; budget?: Budget; temperature?: number; replaces_message_id?: string;
}
export interface RunAccepted { run_id: string; conversation_id: string; events_url: string }
export interface Run {
  id: string; conversation_id?: string | null; status: RunStatus; answer: string; truncated: boolean; sources: Source[]; steps: Step[];
  rounds: number; usage: Usage; model: string; started_at?: string | null; finished_at?: string | null; error?: Problem | null;
}
export interface RunBrief {
  id: string; conversation_id?: string | null; status: RunStatus; question: string; model?: string | null; rounds: number;
  usage?: Usage | null; created_at?: string | null; started_at?: string | null; finished_at?: string | null;
}
export interface RunEvent { seq: number; run_id: string; type: string; time: string; data: Record<string, unknown> }

export interface ModelInfo {
  name: string; provider: string; kind: string; local: boolean; tools: boolean | "json_schema" | null; context_window: number | null;
  price?: { input: number; output: number; currency: string; per_tokens?: number } | null; status: string; detail?: string | null;
}
export interface ModelList { items: ModelInfo[]; default?: string | null }
export interface ModelTest { ok: boolean; latency_ms: number; detail?: string | null }
export interface Health { status: string; version: string; checks?: Record<string, unknown> }
