/** Sends one file to a knowledge base, with progress. `fetch` reports none for what it sends, hence XMLHttpRequest. */
import { ApiError, address, headers, unanswered } from "./http";
import type { OnConflict, Problem, UploadItem } from "./types";

export interface Sending { done: Promise<UploadItem>; cancel: () => void }

export function sendFile(kb: string, file: File, path: string, onConflict: OnConflict, onProgress: (part: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<UploadItem>((resolve, reject) => {
    const form = new FormData();
    form.append("on_conflict", onConflict);
    if (path) form.append("path", path);
    form.append("file", file, file.name);
    request.open("POST", address(`/knowledge-bases/${encodeURIComponent(kb)}/documents`));
    for (const [name, value] of Object.entries(headers({ Accept: "application/json" }))) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => { if (event.lengthComputable) onProgress(event.loaded / event.total); };
    request.onload = () => {
      let body: unknown = null;
      try {
        body = JSON.parse(request.responseText);
      } catch {
        // Answered below by the status alone.
      }
      const items = (body as { items?: UploadItem[] } | null)?.items;
      if (request.status < 300 && items?.[0]) resolve(items[0]);
      else reject(new ApiError(request.status, (body as Problem | null) ?? { title: request.statusText }));
    };
    request.onerror = () => reject(new ApiError(unanswered, { title: "The server could not be reached. Send it again when it answers." }));
    request.onabort = () => reject(new ApiError(0, { title: "cancelled" }));
    request.send(form);
  });
  return { done, cancel: () => request.abort() };
}
