/** How far documents are on their way: read, then prepared for the search by meaning. */
import type { Document } from "~/api/types";

export interface Preparation { stage: "reading" | "preparing" | "done"; done: number; count: number }

/** Documents that are not listed yet are still to be read. */
export function preparation(documents: Pick<Document, "status" | "vectors">[]): Preparation {
  const count = documents.length;
  const read = documents.filter(({ status }) => status === "ready" || status === "failed");
  if (!count || read.length < count) return { stage: "reading", done: read.length, count };
  const prepared = read.filter(({ status, vectors }) => status === "failed" || vectors !== "pending");
  return { stage: prepared.length < count ? "preparing" : "done", done: prepared.length, count };
}
