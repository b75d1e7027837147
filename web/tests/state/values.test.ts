import { describe, expect, it, vi } from "vitest";
import { sources } from "../recorded";
import type { Document, Message, Step, UploadItem } from "~/api/types";
import { splitBlocks } from "~/state/blocks";
import { citedNumbers, leadQuote, quoteOf, rankSources } from "~/state/citations";
import { findQuote } from "~/state/findQuote";
import { countCharacters, putAt, sliceCharacters } from "~/state/liveText";
import { markWords } from "~/state/markWords";
import { indentJson } from "~/state/json";
import { withoutNote } from "~/state/modelNote";
import { amounts, hung, joined, whole } from "~/state/joined";
import { numericColumns } from "~/state/numericColumns";
import { oneLine, plain } from "~/state/plain";
import { groupSteps } from "~/state/steps";
import { textBlocks } from "~/state/textLines";
import { keptTurns, turnsOf } from "~/state/turns";
import { preparation } from "~/state/preparation";
import { UploadQueue } from "~/state/uploadQueue";
import { foldUploads, type Upload } from "~/state/uploads";

describe("live text", () => {
  it("takes a repetition without a change", () => expect(putAt({ text: "abcd", length: 4 }, 1, "bc")).toEqual({ text: "abcd", length: 4 }));
  it("refuses a piece beyond the end", () => expect(putAt({ text: "ab", length: 2 }, 3, "x")).toBeNull());
  it("counts and cuts by code points", () => {
    expect(countCharacters("a😀b")).toBe(3);
    expect(sliceCharacters("a😀bc", 1, 3)).toBe("😀b");
  });
});

describe("citations", () => {
  it("are not read inside code", () => expect([...citedNumbers("A [1]. B [2, 3].\n```\nx[4]\n```\n`y[5]` [6]")]).toEqual([1, 2, 3, 6]));
  it("rank used passages before the others", () => expect(rankSources(sources, "x [2] y [1]").map((item) => [item.source.n, item.use])).toEqual([
    [1, "used"], [2, "used"], [3, "uncited"], [4, "uncited"], [5, "uncited"],
  ]));
});

describe("what a source says", () => {
  it("is the sentences that back the answer", () => expect(quoteOf({ quote: "…a window", quotes: [{ start: 0, end: 4, text: "One." }, { start: 9, end: 13, text: "**Two.**" }] })).toBe("One. … Two."));
  it("begins on a card with the sentence that was cited, not with one like it", () => {
    const quotes = ["The small hall costs CHF 50 a day.", "The large hall costs CHF 90 a day."].map((text, at) => ({ start: at * 40, end: at * 40 + 34, text }));
    const source = { n: 2, quote: "…", quotes };
    expect(leadQuote(source, "Other halls are free [1]. The large hall costs CHF 90 a day. [2]")).toBe("The large hall costs CHF 90 a day.");
    expect(leadQuote(source, "The small hall costs CHF 50 a day [1; 2].")).toBe("The small hall costs CHF 50 a day. … The large hall costs CHF 90 a day.");
    expect(leadQuote({ n: 2, quote: "…a window", quotes: [] }, "None cites it.")).toBe("…a window");
  });
  it("begins no line with the sign between two facts", () => expect(hung("Policy › Hotels · GBP 185")).toBe("Policy\u00a0› Hotels\u00a0· GBP 185"));
  it("is the beginning of its passage where none is named", () => expect(quoteOf({ quote: "…a window" })).toBe("…a window"));
});

describe("the note of the built-in model", () => {
  const note = "No language model is connected: these are sentences of the documents, selected by rules.";
  it("is not shown a second time", () => expect(withoutNote(`- One. [1]\n\n${note}`)).toBe("- One. [1]"));
  it("does not show up while it is written", () => expect(withoutNote("Eins. [1]\n\nEs ist kein Sprach")).toBe("Eins. [1]"));
  it("takes nothing else away", () => expect(withoutNote("One.\n\nNo.")).toBe("One.\n\nNo."));
});

describe("markdown blocks", () => {
  const text = "# A\n\ntext\n\n```js\na\n\nb\n```\n\n- one\n\n- two\n\n| a |\n|---|\n\nend";
  it("join to the text again", () => expect(splitBlocks(text).join("\n")).toBe(text));
  it("never cut a fence or a loose list", () => {
    const blocks = splitBlocks(text);
    expect(blocks.some((block) => block.includes("a\n\nb"))).toBe(true);
    expect(blocks.some((block) => block.includes("- one\n\n- two"))).toBe(true);
  });
  it("are cut before a table, a quote, a definition and the first item of a list", () => {
    expect(splitBlocks("a\n\n- b\n\n  c\n\n| d |\n|---|\n\n> e\n\n[1]: f").map((block) => block.trim())).toEqual(["a", "- b\n\n  c", "| d |\n|---|", "> e", "[1]: f"]);
  });
});

describe("JSON", () => {
  it("is indented, also where it was cut", () => {
    expect(indentJson('{"a":[1,{}],"b":"x"}')).toBe('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "x"\n}');
    expect(indentJson('{"a":[1,{}],"b":"x, \\" {y')).toBe('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "x, \\" {y');
  });
  it("is left alone where it is none", () => expect(indentJson("[1] see a, b")).toBe("[1] see a, b"));
});

describe("steps", () => {
  const step = (id: string, more: Partial<Step> = {}): Step => ({
    round: 1, call_id: id, tool: "search_documents", arguments: { query: "q" }, effect: "read", network: false, blocked: false, cached: false, status: "succeeded", preview: "", truncated: false, ...more,
  });
  it("group parallel reads only", () => expect(groupSteps([step("a"), step("b"), step("w", { effect: "write" }), step("c"), step("n", { network: true })]).map((group) => group.kind)).toEqual(["parallel", "one", "one", "one"]));
});

describe("document text", () => {
  const at = (start: number, end: number) => ({ passage: { start: 0, end: 30 }, quotes: [{ start, end }] });
  const text = "# Prices\n\nIntro 😀 text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  it("becomes headings, paragraphs and tables", () => expect(textBlocks(text, 0).map((block) => block.kind)).toEqual(["heading", "paragraph", "table"]));
  it("marks the characters of a passage", () => {
    const block = textBlocks(text, 0, at(16, 22))[1];
    expect(block?.kind === "paragraph" && block.pieces.filter((piece) => piece.marked).map((piece) => piece.text)).toEqual(["😀 text"]);
  });
  it("marks the row of a sheet", () => {
    const start = countCharacters(text.slice(0, text.indexOf("| 1 |")));
    const table = textBlocks(text, 0, at(start, start + 5))[2];
    expect(table?.kind === "table" && table.rows.map((row) => row.marked)).toEqual([false, true]);
  });
  it("keeps offsets in a window of the document", () => {
    const block = textBlocks("hello world", 100, at(106, 111))[0];
    expect(block?.kind === "paragraph" && block.pieces).toEqual([{ text: "hello ", marked: false }, { text: "world", marked: true }]);
  });
  it("marks each quote and tells the blocks of the passage", () => {
    const blocks = textBlocks("One. Two. Three.\n\nFour.", 0, { passage: { start: 5, end: 16 }, quotes: [{ start: 10, end: 16 }, { start: 0, end: 4 }] });
    expect(blocks.map((block) => block.passage)).toEqual([true, false]);
    expect(blocks[0]?.kind === "paragraph" && blocks[0].pieces.filter((piece) => piece.marked).map((piece) => piece.text)).toEqual(["One.", "Three."]);
  });
  it("of a sheet is a table under its columns, also where a cell is empty", () => {
    const sheet = "City: Oslo; Limit: 10\nCity: Bern; Until: 3:15 pm; Limit: 20";
    const [table] = textBlocks(sheet, 0, { passage: null, quotes: [{ start: 22, end: 40 }] }, true);
    expect(table?.kind === "table" && table.rows.map((row) => [row.marked, row.cells.map((cell) => cell.map((piece) => piece.text).join(""))])).toEqual([
      [false, ["City", "Until", "Limit"]], [false, ["Oslo", "", "10"]], [true, ["Bern", "3:15 pm", "20"]],
    ]);
    expect(textBlocks(sheet, 0).map((block) => block.kind)).toEqual(["paragraph"]);
  });
});

describe("quotes on a page", () => {
  it("are found over line ends, hyphens and ligatures", () => expect(findQuote(["The ofﬁce is", " open un-", "til 18:00."], "office is open until 18:00")).toEqual([
    { item: 0, from: 4, to: 12 }, { item: 1, from: 1, to: 9 }, { item: 2, from: 0, to: 10 },
  ]));
  it("end with their full stop", () => expect(findQuote(["It is so. And more."], "It is so.")).toEqual([{ item: 0, from: 0, to: 9 }]));
  it("that stand there twice are found after what stands before them", () => {
    const page = ["First part. All of it applies.", "Second part. All of it applies."];
    expect(findQuote(page, "All of it applies.", { before: "of the Second part." })).toEqual([{ item: 1, from: 13, to: 31 }]);
  });
  it("that must be whole are not found in part", () => expect(findQuote(["The first half of it stands here and"], "The first half of it stands here and the second half", { exact: true })).toEqual([]));
  it("that are not there mark nothing", () => expect(findQuote(["something else"], "a quite different passage of text")).toEqual([]));
  it("that go on over the page are found by their beginning", () => expect(findQuote(["The first half of it stands here and"], "The first half of it stands here and the second half on the next page").length).toBe(1));
});

it.each([
  ["Die Kündigung heute", "kundigung", "Kündigung"],
  ["Der Ersatz eines Schlüssels", "schluessel verloren", "Schlüssels"],
  ["Sechs Schluessel liegen da", "Schlüssel", "Schluessel"],
  ["In der Hauptstraße geht es", "hauptstrasse", "Hauptstraße"],
  ["Die Kündigungsfrist läuft", "frist", "Kündigungsfrist"],
  ["Die Frist läuft", "kuendigungsfrist", "Frist"],
  ["La sœur du manœuvre", "soeur", "sœur"],
  ["It does cost something", "what does it cost", "cost"],
])("in %j words of the query %j are marked as the server finds them", (text, query, marked) =>
  expect(markWords(text, query).filter((piece) => piece.marked)).toEqual([{ text: marked, marked: true }]));

describe("turns", () => {
  const message = (id: string, role: "user" | "assistant", run: string): Message => ({ id, role, text: id, created_at: "", run_id: run, status: null, truncated: false, sources: [], feedback: null });
  const stored = [message("q1", "user", "r1"), message("a1", "assistant", "r1"), message("q2", "user", "r2"), message("a2", "assistant", "r2")];
  it("join a question and its answer", () => expect(turnsOf(stored, []).map((turn) => [turn.question.id, turn.answer?.id])).toEqual([["q1", "a1"], ["q2", "a2"]]));
  it("show what was just sent once", () => {
    const sent = [{ runId: "r2", key: "s", text: "q2", at: "" }, { runId: "r3", key: "t", text: "q3", at: "" }];
    expect(turnsOf(stored, sent).map((turn) => turn.runId)).toEqual(["r1", "r2", "r3"]);
  });
  it("stay the same while they say the same", () => {
    const before = turnsOf(stored, []);
    const after = keptTurns(before, turnsOf([...stored.slice(0, 3), message("a3", "assistant", "r2")], []));
    expect(after.map((turn, index) => turn === before[index])).toEqual([true, false]);
  });
  it("hide at once what an edit replaces", () => expect(turnsOf(stored, [{ runId: "r3", key: "t", text: "new", at: "", replaces: "q2" }]).map((turn) => turn.runId)).toEqual(["r1", "r3"]));
});

describe("uploads", () => {
  const upload: Upload = { key: "k", kb: "b", name: "a.pdf", path: "", size: 1, stage: "waiting", part: 0, documentId: null, error: null, code: null, warnings: [], pages: null, chunks: null };
  it("follow the document they became", () => {
    const received = foldUploads([upload], { type: "received", key: "k", documentId: "d", status: "queued", duplicate: false, error: null });
    const document = { id: "d", status: "failed", error: "empty", warnings: [], chunk_count: 0 } as unknown as Document;
    expect(foldUploads(received, { type: "documents", documents: [document] })[0]).toMatchObject({ stage: "failed", error: "empty" });
  });
  it("that failed do not stop the others", () => expect(foldUploads([upload, { ...upload, key: "l" }], { type: "failed", key: "k", error: "too large" }).map((item) => item.stage)).toEqual(["failed", "waiting"]));
  it("that are tried again are read anew: only what is ready already is a duplicate", async () => {
    const answers = [{ document_id: "d", status: "queued", duplicate_of: "d" }, { document_id: "d", status: "ready", duplicate_of: "d" }] as UploadItem[];
    const queue = new UploadQueue(() => ({ done: Promise.resolve(answers.shift() as UploadItem), cancel: () => undefined }), () => undefined);
    queue.add("kb", [{ file: new File(["x"], "a.pdf"), path: "" }], "replace");
    const key = queue.snapshot()[0]?.key ?? "";
    await vi.waitFor(() => expect(queue.snapshot()[0]).toMatchObject({ stage: "received", documentId: "d" }));
    queue.documents([{ id: "d", status: "failed", error: "broken", warnings: [], chunk_count: 0 } as unknown as Document]);
    queue.retry(key);
    await vi.waitFor(() => expect(queue.snapshot()[0]?.stage).toBe("duplicate"));
    queue.forget("kb");
    expect(queue.snapshot()).toEqual([]);
  });
  it("that were cancelled stay so", () => {
    const cancelled = foldUploads([{ ...upload, documentId: "d" }], { type: "cancelled", key: "k" });
    expect(foldUploads(cancelled, { type: "documents", documents: [{ id: "d", status: "ready" } as Document] })[0]?.stage).toBe("cancelled");
  });
});

it("a base is prepared when all of it is read and found by meaning", () => {
  const of = (...documents: [string, string][]) => preparation(documents.map(([status, vectors]) => ({ status, vectors }) as Document));
  expect([of(), of(["ready", "pending"], ["queued", "pending"])].map(({ stage }) => stage)).toEqual(["reading", "reading"]);
  expect(of(["ready", "ready"], ["ready", "pending"], ["failed", "pending"])).toEqual({ stage: "preparing", done: 2, count: 3 });
  expect(of(["ready", "off"], ["failed", "pending"]).stage).toBe("done");
});

it("a preview has no marks of headings and tables", () => expect(plain("## Hotels\n\n| City | Price |\n|---|---|\n| Zurich | **210** |")).toBe("Hotels\nCity · Price\nZurich · 210"));
it("a preview on one line keeps a heading, entries and rows apart", () => {
  expect(oneLine("## Tyres\n\nThe solid tyres\nare replaced.\n- one\n- two")).toBe("Tyres – The solid tyres are replaced. one – two");
  expect(oneLine("Prices:\n| City | Price |\n|---|---|\n| Zurich | 210 |")).toBe("Prices: City · Price; Zurich · 210");
});
it("facts in a row break between them only", () => expect(joined(["2 pages", null, "Nov 30"])).toBe("2\u00a0pages\u00a0· Nov\u00a030"));

it("columns of amounts are told from dates, names and numbers of things", () => {
  const rows = [["HB-1", "2026-01-05", "1408.00", "CHF 1'200", "044 12 34", "3"], ["HB-2", "2026-02-01", "8.50", "90 %", "044 56 78", ""], ["HB-3", "2026-03-01", "-2,996.00", "€ 12", "n/a", "12"]];
  expect([...numericColumns(rows)]).toEqual([2, 3, 5]);
});

describe("running text", () => {
  it("breaks in no amount", () => expect(amounts("GBP 1,000 and 740 EUR, 25 % of €\u00a05; see KT-22")).toBe("GBP\u00a01,000 and 740\u00a0EUR, 25\u00a0% of €\u00a05; see KT-22"));
  it("breaks in no date in figures", () => expect(whole("issued: 2026-03-03; HB-2026-1206")).toBe("issued: 2026-\u206003-\u206003; HB-2026-1206"));
});
