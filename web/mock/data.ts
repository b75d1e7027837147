/** What the development server holds at its start. */
import type { Document, KnowledgeBase, ModelInfo } from "../src/api/types";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 30, 8, 0) - minutes * 60_000).toISOString();

export const bases: KnowledgeBase[] = [
  { id: "kb-home", name: "Home & contracts", description: "Lease, insurance, letters", document_count: 5, fact_count: 3, created_at: at(9000) },
  { id: "kb-team", name: "Team handbook", description: "Policies and price lists", document_count: 4, fact_count: 0, created_at: at(4000) },
];

const document = (id: string, kb: string, name: string, media: string, more: Partial<Document> = {}): Document & { knowledge_base_id: string } => ({
  id, knowledge_base_id: kb, name, media_type: media, size: 48_213, status: "ready", error: null, pages: null, chunk_count: 24, vectors: "ready", warnings: [],
  language: "en", created_at: at(300), revision: 1, ...more,
});

export const documents = [
  document("doc-lease", "kb-home", "Mietvertrag Lindenstrasse 12.pdf", "application/pdf", { pages: 8, language: "de", chunk_count: 31 }),
  document("doc-policy", "kb-team", "travel-policy.md", "text/markdown", { chunk_count: 12 }),
  document("doc-prices", "kb-team", "price-list-2026.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", { chunk_count: 9, tables: 3, vectors: "pending" }),
  document("doc-notes", "kb-team", "meeting-notes.md", "text/markdown", { chunk_count: 6 }),
  document("doc-handbook", "kb-team", "Mitarbeiterhandbuch.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", { language: "de", chunk_count: 88, warnings: ["Two images were left out."] }),
  document("doc-scan", "kb-home", "scan-0042.pdf", "application/pdf", { status: "failed", pages: 2, chunk_count: 0, error: "The file holds pictures of text only, no text. Run it through text recognition first." }),
  document("doc-mail", "kb-home", "<img src=x onerror=alert(1)>.eml", "message/rfc822", { chunk_count: 2 }),
  document("doc-new", "kb-home", "insurance-terms.pdf", "application/pdf", { status: "extracting", chunk_count: 0, pages: null }),
];

export const models: ModelInfo[] = [
  { name: "ollama/qwen3:8b", provider: "ollama", kind: "ollama", local: true, tools: true, context_window: 32768, price: null, status: "ok" },
  { name: "ollama/gemma3:4b", provider: "ollama", kind: "ollama", local: true, tools: "json_schema", context_window: 8192, price: null, status: "ok" },
  { name: "mistral/mistral-large-latest", provider: "mistral", kind: "mistral", local: false, tools: true, context_window: 131072, price: { input: 2, output: 6, currency: "USD", per_tokens: 1_000_000 }, status: "ok" },
  { name: "builtin/extractive", provider: "builtin", kind: "builtin", local: true, tools: true, context_window: null, price: null, status: "ok" },
];

export const text = `# Travel policy

For everyone who travels for the company. Valid from 1 January 2026.

## Hotels

Hotel rooms up to CHF 180 a night are booked without asking. Above that, the team lead agrees first. Breakfast is part of the price where the hotel offers it.

## Trains

Second class on journeys under two hours; first class above that. Half-fare cards are paid by the company.

| Distance | Class | Seat |
|---|---|---|
| under 2 h | second | free choice |
| 2 h and more | first | reserved |

## Flights

Only where the train takes more than six hours.

- Economy on every route
- Luggage up to 23 kg
`.repeat(1);
