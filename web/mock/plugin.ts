/** A server for development: answers the page's calls from memory and replays recorded runs. Not part of the built page. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";
import type { Message } from "../src/api/types";
import { bases, documents, models, text } from "./data.ts";
import { failure, fullRun, refusal, sources, type Timed } from "./script.ts";

interface MockRun { id: string; conversation: string; question: string; timed: Timed[]; sent: number; listeners: Set<() => void>; stopped: boolean }
const runs = new Map<string, MockRun>();
const messages = new Map<string, Message[]>();
const conversations: { id: string; title: string; created_at: string; updated_at: string }[] = [];
let counter = 0;
let empty = process.env.FAMULUS_MOCK_EMPTY === "1";

const now = () => new Date().toISOString();

function startRun(conversation: string, question: string, instant = false): MockRun {
  counter += 1;
  const id = `run-${counter}`;
  const make = /flight|unknown/i.test(question) ? refusal : /fail/i.test(question) ? failure : fullRun;
  const run: MockRun = { id, conversation, question, timed: make(id, question), sent: 0, listeners: new Set(), stopped: false };
  runs.set(id, run);
  const list = messages.get(conversation) ?? [];
  list.push({ id: `user-${id}`, role: "user", text: question, created_at: now(), run_id: id });
  list.push({ id: `message-${id}`, role: "assistant", text: "", created_at: now(), run_id: id, status: "running" });
  messages.set(conversation, list);
  if (instant) {
    run.sent = run.timed.length;
    finish(run);
  } else advance(run);
  return run;
}

function finish(run: MockRun): void {
  const done = run.timed.find((item) => item.event.type === "chat.done.v1")?.event.data;
  const message = messages.get(run.conversation)?.find((item) => item.id === `message-${run.id}`);
  if (message && done) Object.assign(message, { text: done.text, status: done.status, sources: done.sources });
}

function advance(run: MockRun): void {
  const next = run.timed[run.sent];
  if (!next) return finish(run);
  setTimeout(() => {
    run.sent += 1;
    for (const listener of run.listeners) listener();
    advance(run);
  }, next.wait);
}

async function body(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const whole = Buffer.concat(parts);
  try {
    return JSON.parse(whole.toString() || "{}") as Record<string, unknown>;
  } catch {
    return { file: /filename="([^"]*)"/.exec(whole.toString("latin1"))?.[1] ?? "file.txt", size: whole.length };
  }
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "Content-Type": status >= 400 ? "application/problem+json" : "application/json" });
  response.end(value === undefined ? "" : JSON.stringify(value));
}

function events(run: MockRun, request: IncomingMessage, response: ServerResponse, after: number): void {
  if (request.headers.accept?.includes("application/json")) {
    return json(response, { items: run.timed.slice(0, run.sent).map((item) => item.event).filter((event) => !live(event.type)) });
  }
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  let position = 0;
  let ended = false;
  const push = () => {
    while (!ended && position < run.sent) {
      const event = run.timed[position]?.event;
      position += 1;
      if (!event || (!live(event.type) && event.seq <= after)) continue;
      const id = live(event.type) ? `${event.seq}.${String(event.data.offset)}` : String(event.seq);
      response.write(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    if (position >= run.timed.length) {
      ended = true;
      response.end();
    }
  };
  run.listeners.add(push);
  request.on("close", () => run.listeners.delete(push));
  push();
}

const live = (type: string) => type === "chat.stream.v1" || type === "chat.reasoning.v1";

type Route = (match: string[], request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => unknown;
const page = (items: unknown[]) => ({ items, next_cursor: null });

const routes: [RegExp, Route][] = [
  [/^GET \/me$/, () => ({ user: { id: "owner", name: "Owner" }, tenant: "main", role: "admin" })],
  [/^GET \/health$/, () => ({ status: "ok", version: "0.1.0", checks: { database: "ok", worker: "ok", blobs: "ok" } })],
  [/^(POST|DELETE) \/session$/, (_, __, response) => { response.writeHead(204).end(); }],
  [/^GET \/models$/, () => ({ items: empty ? models.slice(-1) : models, default: empty ? "builtin/extractive" : "ollama/qwen3:8b" })],
  [/^POST \/models\/test$/, async (_, request) => ({ ok: String((await body(request)).model).includes("mistral") === false, latency_ms: 214, detail: "answered" })],
  [/^GET \/knowledge-bases$/, () => page(empty ? [] : bases)],
  [/^POST \/knowledge-bases\/sample$/, () => { empty = false; return bases[1]; }],
  [/^POST \/knowledge-bases$/, async (_, request) => {
    const base = { id: `kb-${(counter += 1)}`, name: String((await body(request)).name), description: "", document_count: 0, fact_count: 0 };
    bases.push(base);
    empty = false;
    return base;
  }],
  [/^DELETE \/knowledge-bases\/(.+)$/, ([, id], _, response) => { bases.splice(bases.findIndex((base) => base.id === id), 1); response.writeHead(204).end(); }],
  [/^GET \/knowledge-bases\/([^/]+)\/documents$/, ([, id]) => page(documents.filter((item) => item.knowledge_base_id === id))],
  [/^POST \/knowledge-bases\/([^/]+)\/documents$/, async ([, id], request) => {
    const { file, size } = await body(request);
    const document = { ...documents[1]!, id: `doc-${(counter += 1)}`, knowledge_base_id: id!, name: String(file), size: Number(size), status: "queued" as const, created_at: now() };
    documents.push(document);
    const stages = ["extracting", "indexing", /bad/.test(String(file)) ? "failed" : "ready"] as const;
    stages.forEach((status, index) => setTimeout(() => Object.assign(document, { status, error: status === "failed" ? "The file is damaged: it ends too early." : null }), 900 * (index + 1)));
    return { items: [{ document_id: document.id, name: document.name, status: "queued" }] };
  }],
  [/^GET \/documents\/([^/]+)$/, ([, id]) => documents.find((item) => item.id === id)],
  [/^DELETE \/documents\/([^/]+)$/, ([, id], _, response) => { documents.splice(documents.findIndex((item) => item.id === id), 1); response.writeHead(204).end(); }],
  [/^GET \/documents\/([^/]+)\/content$/, (_, __, ___, query) => {
    const offset = Number(query.get("offset") ?? 0);
    const length = Number(query.get("length") ?? 8000);
    return { text: text.slice(offset, offset + length), offset, length, total: text.length, next_offset: offset + length < text.length ? offset + length : null };
  }],
  [/^GET \/documents\/([^/]+)\/structure$/, () => ({ items: [{ kind: "heading", level: 1, text: "Travel policy", start: 0, end: 15 }, { kind: "heading", level: 2, text: "Hotels", start: 92, end: 101 }] })],
  [/^GET \/chunks\/([^/]+)$/, ([, id]) => {
    const source = sources.find((item) => item.chunk_id === id) ?? sources[0]!;
    return { ...source, text: source.quote, boxes: [], previous: null, next: null };
  }],
  [/^POST \/search$/, async (_, request) => {
    const { query } = await body(request);
    const hits = /nothing/.test(String(query)) ? [] : sources.map((source) => ({
      ...source, kind: "document", knowledge_base_id: "kb-team", text: source.quote, keyword_score: source.score - 0.05, vector_score: source.score - 0.1,
    }));
    return { hits, used_modes: ["keyword", "vector"], took_ms: 4.2, cached: false };
  }],
  [/^GET \/conversations$/, (_, __, ___, query) => {
    const wanted = (query.get("q") ?? "").toLowerCase();
    return page(conversations.filter((item) => item.title.toLowerCase().includes(wanted)).toReversed());
  }],
  [/^POST \/conversations$/, async (_, request) => {
    const conversation = { id: `conversation-${(counter += 1)}`, title: String((await body(request)).title ?? ""), created_at: now(), updated_at: now() };
    conversations.push(conversation);
    return conversation;
  }],
  [/^GET \/conversations\/([^/]+)$/, ([, id]) => conversations.find((item) => item.id === id)],
  [/^DELETE \/conversations\/([^/]+)$/, ([, id], _, response) => { conversations.splice(conversations.findIndex((item) => item.id === id), 1); response.writeHead(204).end(); }],
  [/^PATCH \/conversations\/([^/]+)$/, async ([, id], request) => Object.assign(conversations.find((item) => item.id === id) ?? {}, await body(request))],
  [/^GET \/conversations\/([^/]+)\/messages$/, ([, id]) => page(messages.get(id!) ?? [])],
  [/^POST \/conversations\/([^/]+)\/runs$/, async ([, id], request) => {
    const { message, replaces_message_id: replaced } = await body(request);
    const conversation = conversations.find((item) => item.id === id);
    if (conversation && !conversation.title) conversation.title = String(message).slice(0, 60);
    const list = messages.get(id!) ?? [];
    if (replaced) messages.set(id!, list.slice(0, list.findIndex((item) => item.id === replaced)));
    const run = startRun(id!, String(message));
    return { run_id: run.id, conversation_id: id, events_url: "" };
  }],
  [/^POST \/messages\/([^/]+)\/feedback$/, async ([, id], request, response) => {
    const { rating } = await body(request);
    for (const list of messages.values()) for (const message of list) if (message.id === id) message.feedback = rating as 1 | -1;
    response.writeHead(204).end();
  }],
  [/^GET \/runs$/, () => page([...runs.values()].toReversed().map((run) => {
    const ended = run.sent >= run.timed.length;
    const summary = run.timed.at(-1)?.event.data;
    return {
      id: run.id, conversation_id: run.conversation, status: ended ? summary?.status : "running", question: run.question, model: "ollama/qwen3:8b", rounds: 3,
      usage: ended ? summary?.usage : null, started_at: run.timed[0]?.event.time, finished_at: ended ? run.timed.at(-1)?.event.time : null,
    };
  }))],
  [/^GET \/runs\/([^/]+)\/events$/, ([, id], request, response, query) => {
    const run = runs.get(id!);
    if (!run) return undefined;
    events(run, request, response, Number(query.get("after") ?? 0));
    return null;
  }],
  [/^POST \/runs\/([^/]+)\/stop$/, ([, id], _, response) => {
    const run = runs.get(id!);
    if (run) {
      const rest = run.timed.slice(run.sent).filter((item) => ["chat.done.v1", "run.summary.v1"].includes(item.event.type));
      const seq = Math.max(0, ...run.timed.slice(0, run.sent).map((item) => item.event.seq));
      const said = run.timed.slice(0, run.sent).filter((item) => item.event.type === "chat.stream.v1").map((item) => String(item.event.data.delta)).join("");
      rest.forEach((item, index) => Object.assign(item.event, { seq: seq + index + 1, data: { ...item.event.data, status: "stopped", ...(index === 0 ? { text: said } : {}) } }));
      run.timed.splice(run.sent, run.timed.length, ...rest.map((item) => ({ ...item, wait: 5 })));
    }
    response.writeHead(202).end();
  }],
  [/^GET \/runs\/([^/]+)\/artifacts\/(.+)$/, (_, __, response) => { response.end(JSON.stringify({ hits: sources }, null, 2)); }],
];

export function mockApi(): Plugin {
  const demo = { id: "conversation-demo", title: "Notice period and hotel limits", created_at: now(), updated_at: now() };
  if (!empty) {
    conversations.push(demo);
    startRun(demo.id, "What is the notice period of the flat, and what does a hotel night cost at most?", true);
    startRun(demo.id, "Is there anything about flights?", true);
    for (const title of ["Insurance: what is covered abroad?", "Preisliste 2026 vergleichen", "متى ينتهي عقد الإيجار؟", "Onboarding checklist"]) {
      conversations.unshift({ id: `conversation-${(counter += 1)}`, title, created_at: now(), updated_at: now() });
    }
  }
  return {
    name: "famulus-mock-api",
    configureServer(server) {
      server.middlewares.use("/api/v1", (request, response) => {
        const url = new URL(request.url ?? "/", "http://mock");
        const line = `${request.method ?? "GET"} ${decodeURIComponent(url.pathname)}`;
        const found = routes.find(([pattern]) => pattern.test(line));
        const run = async () => {
          if (!found) return json(response, { title: "Not Found", status: 404, detail: line }, 404);
          const answer = await found[1]([...(found[0].exec(line) ?? [])], request, response, url.searchParams);
          if (response.writableEnded || response.headersSent || answer === null) return;
          if (answer === undefined) json(response, { title: "Not Found", status: 404 }, 404);
          else json(response, answer);
        };
        void run();
      });
    },
  };
}
