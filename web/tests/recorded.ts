/** Recorded runs: the events that a server sends, with the pause before each. */
import type { RunEvent, Source, Step } from "~/api/types";

export interface Timed { wait: number; event: RunEvent }

export class Recorder {
  readonly timed: Timed[] = [];
  private seq = 0;
  private offset = 0;
  private clock: number;
  constructor(readonly runId: string, start = Date.UTC(2026, 10, 30, 8, 12, 4)) {
    this.clock = start;
  }

  durable(type: string, data: Record<string, unknown>, wait = 30): this {
    this.seq += 1;
    return this.push(type, data, wait);
  }

  say(text: string, wait = 18, size = 5): this {
    const characters = [...text];
    for (let index = 0; index < characters.length; index += size) {
      const delta = characters.slice(index, index + size).join("");
      this.push("chat.stream.v1", { delta, offset: this.offset }, wait);
      this.offset += [...delta].length;
    }
    return this;
  }

  round(round: number, tokens: number, model = "ollama/qwen3:8b"): this {
    return this.durable("run.round.v1", {
      round, model, tools: ["search_documents", "read_document", "calculate"],
      context: {
        tokens, limit: 32768,
        layers: [
          { name: "instructions", tokens: 612, items: 1, left_out: 0 },
          { name: "file names", tokens: 184, items: 12, left_out: 0 },
          { name: "conversation", tokens: Math.round(tokens * 0.3), items: 4, left_out: 0 },
          { name: "tool results", tokens: Math.round(tokens * 0.5), items: 6, left_out: round > 2 ? 2 : 0 },
        ],
      },
    }, 60);
  }

  step(step: Partial<Step> & { call_id: string; tool: string; round: number }, wait = 20): this {
    const whole: Step = {
      arguments: {}, effect: "read", network: false, blocked: false, cached: false, status: "running", preview: "", truncated: false,
      started_at: new Date(this.clock).toISOString(), ...step,
    };
    return this.durable("chat.tool-call.v1", { ...whole }, wait);
  }

  result(callId: string, data: Record<string, unknown>, wait = 240): this {
    return this.durable("chat.tool-result.v1", {
      call_id: callId, status: "succeeded", preview: "", truncated: false, blocked: false, network: false, cached: false, is_error: false, duration_ms: wait, ...data,
    }, wait);
  }

  private push(type: string, data: Record<string, unknown>, wait: number): this {
    this.clock += wait;
    this.timed.push({ wait, event: { seq: this.seq, run_id: this.runId, type, time: new Date(this.clock).toISOString(), data } });
    return this;
  }
}

export const sources: Source[] = [
  {
    n: 1, chunk_id: "chunk-lease-7", document_id: "doc-lease", document_name: "Mietvertrag Lindenstrasse 12.pdf", page: 3, section: ["§ 7 Kündigung"], start: 610, end: 790,
    quote: "Die Kündigungsfrist beträgt drei Monate, jeweils auf Ende März, Juni, September oder Dezember.", score: 0.91, support: "strong",
  },
  {
    n: 2, chunk_id: "chunk-policy-2", document_id: "doc-policy", document_name: "travel-policy.md", page: null, section: ["Travel policy", "Hotels"], start: 240, end: 402,
    quote: "Hotel rooms up to CHF 180 a night are booked without asking. Above that, the team lead agrees first.", score: 0.84, support: "strong",
  },
  {
    n: 3, chunk_id: "chunk-prices-4", document_id: "doc-prices", document_name: "price-list-2026.xlsx", page: null, section: ["Services"], start: 120, end: 214,
    quote: "| Support, business hours | per month | CHF 420.00 |", score: 0.73, support: "weak",
  },
  {
    n: 4, chunk_id: "chunk-notes-1", document_id: "doc-notes", document_name: "meeting-notes.md", page: null, section: ["12 October"], start: 30, end: 160,
    quote: "Mara asks whether the hotel limit should follow the season. Decision put off to the next meeting.", score: 0.41, support: "none",
  },
  {
    n: 5, chunk_id: "chunk-handbook-9", document_id: "doc-handbook", document_name: "Mitarbeiterhandbuch.docx", page: null, section: ["Reisen", "Spesen"], start: 900, end: 1040,
    quote: "Spesen werden monatlich abgerechnet; Belege sind beizulegen.", score: 0.28, support: "none",
  },
];

const answer = `The two documents agree on most of it:

1. **Notice period.** The flat can be given up with three months' notice, to the end of a quarter [1].
2. **Hotels.** Rooms up to **CHF 180** a night need no approval; above that the team lead agrees first [2].

| Service | Unit | Price |
|---|---|---|
| Support, business hours | month | CHF 420.00 [3] |

Twelve months of support come to **CHF 5,040**. The file says nothing about weekends [7].

\`\`\`python
total = prices[1] * 12
\`\`\`
`;

/** A whole run: three rounds, two parallel reads, a calculation, a refused web search. */
export function fullRun(runId: string, question: string, pace = 1): Timed[] {
  const record = new Recorder(runId);
  record
    .durable("run.started.v1", { request: { message: question, model: "ollama/qwen3:8b", allow_web: false }, tools: ["search_documents"], servers: [] }, 5)
    .round(1, 1840)
    .say("Let me look at the contract and the travel policy first.\n\n")
    .durable("run.response.v1", {
      round: 1, text: "Let me look at the contract and the travel policy first.\n\n", calls: [{ call_id: "c1", tool: "search_documents" }, { call_id: "c2", tool: "search_documents" }],
      usage: { input_tokens: 1840, output_tokens: 92 }, finish: "tool_calls",
    })
    .step({ round: 1, call_id: "c1", tool: "search_documents", arguments: { query: "Kündigungsfrist Mietvertrag", k: 5 } })
    .step({ round: 1, call_id: "c2", tool: "search_documents", arguments: { query: "hotel limit per night" } })
    .result("c1", { preview: JSON.stringify({ untrusted: true, hits: [{ n: 1, document: "Mietvertrag Lindenstrasse 12.pdf", score: 0.91 }] }, null, 2), duration_ms: 212 })
    .result("c2", { preview: JSON.stringify({ untrusted: true, hits: [{ n: 2, document: "travel-policy.md", score: 0.84 }] }, null, 2), truncated: true, artifact_id: "art-2", duration_ms: 188 })
    .durable("chat.sources.v1", { sources: sources.slice(0, 2) })
    .round(2, 3920)
    .durable("run.notice.v1", { code: "keyword_only", message: "Vectors are still being made: this search used keywords only.", round: 2 })
    .durable("run.response.v1", {
      round: 2, text: "", calls: [{ call_id: "c3", tool: "calculate" }, { call_id: "c4", tool: "web_search" }], usage: { input_tokens: 3920, output_tokens: 61 }, finish: "tool_calls",
    })
    .step({ round: 2, call_id: "c3", tool: "calculate", arguments: { expression: "420 * 12" } })
    .result("c3", { preview: JSON.stringify({ expression: "420 * 12", result: 5040 }), duration_ms: 2 }, 40)
    .step({ round: 2, call_id: "c4", tool: "web_search", arguments: { query: "support price weekend" }, blocked: true, status: "failed", error: "This run has no web access: allow_web is off." })
    .result("c4", { status: "failed", is_error: true, blocked: true, preview: JSON.stringify({ error: "This run has no web access: allow_web is off." }), duration_ms: 1 }, 30)
    .durable("chat.sources.v1", { sources })
    .round(3, 5210)
    .say(answer, 14, 4)
    .durable("run.response.v1", { round: 3, text: answer, calls: [], usage: { input_tokens: 5210, output_tokens: 318, cost: { amount: 0, currency: "CHF", complete: true } }, finish: "stop" })
    .durable("chat.done.v1", { message_id: `message-${runId}`, text: `Let me look at the contract and the travel policy first.\n\n${answer}`, sources, status: "completed", truncated: false })
    .durable("run.summary.v1", {
      status: "completed", rounds: 3, calls: 4, usage: { input_tokens: 10970, output_tokens: 471, cost: { amount: 0, currency: "CHF", complete: true } },
      durations: { retrieval_ms: 400, model_ms: 5210, tools_ms: 443, overhead_ms: 61, first_token_ms: 480 },
    });
  return record.timed.map((item) => ({ ...item, wait: item.wait * pace }));
}

/** The documents hold no answer. */
export function refusal(runId: string, question: string): Timed[] {
  const text = "Your documents do not answer this. The closest passage is about hotel limits, not about flights.";
  return new Recorder(runId)
    .durable("run.started.v1", { request: { message: question, model: "builtin/extractive" }, tools: ["search_documents"], servers: [] }, 5)
    .round(1, 900, "builtin/extractive")
    .durable("run.response.v1", { round: 1, text: "", calls: [{ call_id: "c1", tool: "search_documents" }], usage: { input_tokens: 900, output_tokens: 20 }, finish: "tool_calls" })
    .step({ round: 1, call_id: "c1", tool: "search_documents", arguments: { query: question } })
    .result("c1", { preview: JSON.stringify({ hits: [] }) })
    .durable("chat.sources.v1", { sources: sources.slice(3) })
    .round(2, 1200, "builtin/extractive")
    .durable("run.notice.v1", { code: "no_language_model", message: "No language model is connected: this answer is made of sentences of your documents.", round: 2 })
    .say(text)
    .durable("run.response.v1", { round: 2, text, calls: [], usage: { input_tokens: 1200, output_tokens: 30 }, finish: "stop" })
    .durable("chat.done.v1", { message_id: `message-${runId}`, text, sources: [], status: "completed", truncated: false })
    .durable("run.summary.v1", { status: "completed", rounds: 2, calls: 1, usage: { input_tokens: 2100, output_tokens: 50 }, durations: { first_token_ms: 210, model_ms: 300 } })
    .timed;
}

/** A failing tool, then stopped by the user in the middle of the answer. */
export function failure(runId: string, question: string): Timed[] {
  return new Recorder(runId)
    .durable("run.started.v1", { request: { message: question, model: "ollama/qwen3:8b", allow_web: true }, tools: ["web_search"], servers: [] }, 5)
    .round(1, 900)
    .durable("run.response.v1", { round: 1, text: "", calls: [{ call_id: "c1", tool: "web_search" }, { call_id: "c2", tool: "read_document" }], usage: { input_tokens: 900, output_tokens: 20 }, finish: "tool_calls" })
    .step({ round: 1, call_id: "c1", tool: "web_search", arguments: { query: "weather Bern" }, network: true })
    .result("c1", { network: true, preview: JSON.stringify({ results: [{ title: "Weather in Bern" }] }), duration_ms: 640 }, 640)
    .step({ round: 1, call_id: "c2", tool: "read_document", arguments: { name: "report.pdf" } })
    .result("c2", { status: "failed", is_error: true, preview: JSON.stringify({ error: "No document named 'report.pdf'. Near names: 'report-2025.pdf'." }), duration_ms: 4 }, 60)
    .round(2, 1200)
    .durable("run.error.v1", { title: "The model server does not answer", detail: "Connection to 127.0.0.1:11434 was refused three times. Start the model server, or choose another model.", status: 503, error_id: "01J" })
    .durable("chat.done.v1", { message_id: `message-${runId}`, text: "", sources: [], status: "failed", truncated: false })
    .durable("run.summary.v1", { status: "failed", rounds: 2, calls: 2, usage: { input_tokens: 2100, output_tokens: 20 }, durations: {} })
    .timed;
}
