/** Files on their way into a knowledge base: a pure reducer; `uploadQueue.ts` does the sending. */
import type { Document, DocumentStatus } from "~/api/types";

export type Stage = "waiting" | "sending" | "received" | "reading" | "indexing" | "ready" | "failed" | "cancelled" | "duplicate";
export interface Upload {
  key: string; kb: string; name: string; path: string; size: number; stage: Stage; part: number; documentId: string | null; error: string | null; code: string | null;
  warnings: string[]; pages: number | null; chunks: number | null;
}

export type UploadAction =
  | { type: "added"; uploads: Upload[] }
  | { type: "sending"; key: string; part: number }
  | { type: "received"; key: string; documentId: string | null; status: DocumentStatus; duplicate: boolean; error: string | null }
  | { type: "failed"; key: string; error: string }
  | { type: "cancelled"; key: string }
  | { type: "retried"; key: string }
  | { type: "forgotten"; kb: string }
  | { type: "documents"; documents: Document[] }
  | { type: "cleared" };

export const finished = new Set<Stage>(["ready", "failed", "cancelled", "duplicate"]);

const stages: Record<DocumentStatus, Stage> = { queued: "received", extracting: "reading", indexing: "indexing", ready: "ready", failed: "failed" };

export function stageOf(status: DocumentStatus): Stage {
  return stages[status] ?? "received";
}

export function errorText(error: unknown): string | null {
  if (!error) return null;
  if (typeof error === "string") return error;
  const problem = error as { detail?: string; title?: string; message?: string };
  return problem.detail ?? problem.title ?? problem.message ?? null;
}

export function foldUploads(uploads: Upload[], action: UploadAction): Upload[] {
  const change = (key: string, part: Partial<Upload>) => uploads.map((item) => (item.key === key ? { ...item, ...part } : item));
  switch (action.type) {
    case "added": return [...uploads, ...action.uploads];
    case "sending": return change(action.key, { stage: "sending", part: action.part });
    case "received":
      return change(action.key, {
        stage: action.duplicate ? "duplicate" : action.error ? "failed" : stageOf(action.status), part: 1, documentId: action.documentId, error: action.error,
      });
    case "failed": return change(action.key, { stage: "failed", error: action.error });
    case "cancelled": return change(action.key, { stage: "cancelled" });
    case "retried": return change(action.key, { stage: "waiting", part: 0, error: null, code: null, documentId: null });
    case "forgotten": return uploads.filter((item) => item.kb !== action.kb);
    case "documents": {
      const byId = new Map(action.documents.map((document) => [document.id, document]));
      const next = uploads.map((item) => withDocument(item, byId));
      return next.some((item, index) => item !== uploads[index]) ? next : uploads;
    }
    case "cleared": return uploads.filter((item) => !finished.has(item.stage));
  }
}

/** The same object when the document tells nothing new. */
function withDocument(upload: Upload, documents: Map<string, Document>): Upload {
  if (!upload.documentId || upload.stage === "cancelled" || upload.stage === "duplicate") return upload;
  const document = documents.get(upload.documentId);
  if (!document) return upload;
  const next = {
    ...upload, stage: stageOf(document.status), error: errorText(document.error), code: document.error_code ?? null, warnings: document.warnings ?? [], pages: document.pages ?? null,
    chunks: document.chunk_count,
  };
  return JSON.stringify(next) === JSON.stringify(upload) ? upload : next;
}
