import { describe, expect, it } from "vitest";
import { sources } from "../recorded";
import type { Step } from "~/api/types";
import { translator } from "~/i18n";
import { en } from "~/i18n/en";
import { readJson } from "~/state/cutJson";
import { readResult } from "~/state/stepResult";
import { argumentLine } from "~/state/stepWords";

const t = translator(en, "en", "UTC");
const id = "01a22ba3-90d2-75d3-9322-503972a536e2";
const call = (tool: string, given: Record<string, unknown>, preview = ""): Step => ({
  round: 1, call_id: "c", tool, arguments: given, effect: "read", network: false, blocked: false, cached: false, status: "succeeded", preview, truncated: false,
});

describe("the words of a call", () => {
  it("say how many passages were found, and nothing before that is known", () => {
    const line = (status: Step["status"], preview: string) => argumentLine({ ...call("search_documents", { query: "hotel", k: 8 }, preview), status }, t);
    expect(line("succeeded", '{"hits":[{"n":1,"document":"a.pdf","excerpt":"x"}]}')).toBe("hotel · 1 passage");
    expect(line("succeeded", '{"hits":[{"n":1,"document":"a.pdf","excerpt":"x"},{"n":2,"docu')).toBe("hotel");
    expect(line("running", "")).toBe("hotel");
    expect(line("cancelled", "")).toBe("hotel");
  });
  it("name the document and section of a passage", () => {
    const source = { ...(sources[0] as (typeof sources)[0]), chunk_id: id, document_name: "Lease.docx", page: null, section: ["Lease", "5. Deposit"] };
    expect(argumentLine(call("get_chunk", { chunk_id: id }), t, [source])).toBe("Lease.docx · 5. Deposit");
  });
  it("name it from the result where the run knows no source", () =>
    expect(argumentLine(call("get_chunk", { chunk_id: id }, '{"document":"a.pdf","page":3,"section":[],"text":"x'), t)).toBe("a.pdf · Page 3"));
  it("never show an id", () => {
    for (const tool of ["get_chunk", "read_document", "list_documents", "summarise_chunks", "some_tool"]) {
      expect(argumentLine(call(tool, { chunk_id: id, document_id: id, chunk_ids: [id], knowledge_base: id }), t)).not.toContain(id);
    }
  });
  it("of an unknown tool are its arguments", () => expect(argumentLine(call("send_mail", { to: "a@b.example", max_size: 3, urgent: true }), t)).toBe("to: a@b.example · max size: 3 · urgent: true"));
  it("of no arguments are none", () => expect(argumentLine({ ...call("x", {}), arguments: null }, t)).toBe(""));
});

describe("a result", () => {
  const hits = JSON.stringify({ untrusted: true, hits: [1, 2].map((n) => ({ n, chunk_id: id, document: "a.pdf", page: n, section: [], score: 0.5, excerpt: "one, \"two\" {three}" })) });
  it("of a search is a list of passages", () => {
    const read = readResult(hits);
    expect(read?.whole).toBe(true);
    expect(read?.result.kind === "hits" && read.result.hits.map((hit) => [hit.document, hit.page])).toEqual([["a.pdf", 1], ["a.pdf", 2]]);
  });
  it("that was cut anywhere never fails, and keeps what came before", () => {
    for (let end = 2; end < hits.length; end += 1) {
      const read = readJson(`${hits.slice(0, end)}`);
      expect(read === null || read.whole === false).toBe(true);
    }
    const read = readResult(`${hits.slice(0, hits.length - 20)}…`);
    expect(read?.result.kind === "hits" && read.result.hits[0]?.document).toBe("a.pdf");
  });
  it("of a calculation is one line", () => expect(readResult('{"expression":"12*7+3","result":87}')?.result).toEqual({ kind: "calculation", expression: "12*7+3", result: "87" }));
  it("that is no JSON stays text", () => expect(readResult("plain words")?.result).toEqual({ kind: "other", value: "plain words" }));
});
