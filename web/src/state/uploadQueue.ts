/** Sends files two at a time and keeps their states. Lives as long as the page, so that leaving the screen stops nothing. */
import type { Document, DocumentStatus, OnConflict, UploadItem } from "~/api/types";
import { showControls } from "./controls";
import { errorText, foldUploads, type Upload, type UploadAction } from "./uploads";

export interface Picked { file: File; path: string }
export type Send = (kb: string, file: File, path: string, onConflict: OnConflict, onProgress: (part: number) => void) => { done: Promise<UploadItem>; cancel: () => void };

interface Job { picked: Picked; kb: string; onConflict: OnConflict; cancel: (() => void) | null }

export class UploadQueue {
  private uploads: Upload[] = [];
  private jobs = new Map<string, Job>();
  private listeners = new Set<() => void>();
  private active = 0;
  private counter = 0;
  constructor(private readonly send: Send, private readonly onReceived: (kb: string) => void) {}

  snapshot = (): Upload[] => this.uploads;
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(kb: string, files: Picked[], onConflict: OnConflict): void {
    const uploads = files.map((picked): Upload => {
      this.counter += 1;
      const key = `upload-${this.counter}`;
      this.jobs.set(key, { picked, kb, onConflict, cancel: null });
      return {
        key, kb, name: showControls(picked.file.name), path: showControls(picked.path), size: picked.file.size, stage: "waiting", part: 0, documentId: null, error: null, code: null, warnings: [],
        pages: null, chunks: null,
      };
    });
    this.dispatch({ type: "added", uploads });
    this.pump();
  }

  retry(key: string): void {
    this.dispatch({ type: "retried", key });
    this.pump();
  }

  cancel(key: string): void {
    this.jobs.get(key)?.cancel?.();
    this.dispatch({ type: "cancelled", key });
  }

  /** The base is gone: so is what was on its way there. */
  forget(kb: string): void {
    for (const item of this.uploads) if (item.kb === kb) this.jobs.get(item.key)?.cancel?.();
    this.dispatch({ type: "forgotten", kb });
  }

  clear(): void {
    this.dispatch({ type: "cleared" });
  }

  documents(documents: Document[]): void {
    this.dispatch({ type: "documents", documents });
  }

  private pump(): void {
    while (this.active < 2) {
      const next = this.uploads.find((item) => item.stage === "waiting" && this.jobs.has(item.key));
      if (!next) return;
      void this.run(next.key);
    }
  }

  private async run(key: string): Promise<void> {
    const job = this.jobs.get(key);
    if (!job) return;
    this.active += 1;
    this.dispatch({ type: "sending", key, part: 0 });
    const sending = this.send(job.kb, job.picked.file, job.picked.path, job.onConflict, (part) => this.dispatch({ type: "sending", key, part }));
    job.cancel = sending.cancel;
    try {
      const item = await sending.done;
      if (this.stage(key) !== "cancelled") {
        // The same file that could not be read is no duplicate: the server reads it again.
        const duplicate = Boolean(item.duplicate_of) && !item.error && item.status === "ready";
        this.dispatch({ type: "received", key, documentId: item.document_id ?? null, status: item.status as DocumentStatus, duplicate, error: errorText(item.error) });
      }
      this.onReceived(job.kb);
    } catch (error) {
      if (this.stage(key) && this.stage(key) !== "cancelled") this.dispatch({ type: "failed", key, error: errorText(error) ?? String(error) });
    } finally {
      this.active -= 1;
      job.cancel = null;
      this.pump();
    }
  }

  private stage(key: string): string | undefined {
    return this.uploads.find((item) => item.key === key)?.stage;
  }

  private dispatch(action: UploadAction): void {
    const before = this.uploads;
    this.uploads = foldUploads(before, action);
    if (this.uploads === before) return;
    for (const listener of this.listeners) listener();
  }
}
