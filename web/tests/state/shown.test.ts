import { describe, expect, it } from "vitest";
import { translator } from "~/i18n";
import { de } from "~/i18n/de";
import { en } from "~/i18n/en";
import { failureText } from "~/state/failures";
import { standsOnSentences } from "~/state/modelNote";
import { readAddress, requestOf } from "~/state/searchAddress";
import { withSheetNames } from "~/state/sheets";
import { textBlocks } from "~/state/textLines";

describe("why a document failed", () => {
  const english = translator(en, "en", "UTC");
  const german = translator(de, "de", "UTC");
  const document = { name: "it's.docx", error: "\"it's.docx\" is protected with a password. Remove it.", error_code: "encrypted" };
  it("stands under its name without that name", () => expect(failureText(document, english)).toBe("Is protected with a password. Remove it."));
  it("is not told twice that it could not be read", () =>
    expect(failureText({ ...document, error: "\"it's.docx\" could not be read: its contents are damaged." }, english)).toBe("Its contents are damaged."));
  it("is told in the reader's language where the reason is known", () => expect(failureText(document, german)).toContain("mit einem Passwort geschützt"));
  it("stays in the server's words where it is not", () => expect(failureText({ ...document, error_code: "new_reason" }, german)).toContain("Remove it."));
  it("is nothing where nothing failed", () => expect(failureText({ name: "a", error: null }, english)).toBeNull());
});

describe("the address of a search", () => {
  it("keeps what was chosen over a reload", () => {
    const chosen = { q: "rent", mode: "keyword" as const, base: "b1", type: "odf", since: "2025-02-01", score: 0.4 };
    expect(readAddress(JSON.parse(JSON.stringify(chosen)) as Record<string, unknown>)).toEqual(chosen);
    expect(requestOf(chosen)).toMatchObject({ mode: "keyword", knowledge_base_ids: ["b1"], created_after: "2025-02-01T00:00:00Z", score_threshold: 0.4 });
    expect(requestOf(chosen).media_types).toContain("application/vnd.oasis.opendocument.text");
  });
  it("leaves out what it does not understand", () =>
    expect(requestOf(readAddress({ q: 42, mode: "magic", type: "constructor", since: "soon", score: 7 }))).toEqual({ query: "42", k: 20, mode: "hybrid" }));
});

it("a greeting of the built-in model stands on no sentences, an answer that cites does", () => {
  const note = "\n\nNo language model is connected: these are sentences.";
  expect([`Hello!${note}`, `Two months [1].${note}`, "Two months [1]."].map(standsOnSentences)).toEqual([false, true, false]);
});

describe("the sheets of a workbook", () => {
  const tables = [{ name: "Honey", header: ["Product", "Jar"], rows: 1 }, { name: "Tools", header: ["Article", "Price"], rows: 1 }, { name: "Old tools", header: ["Article", "Price"], rows: 1 }];
  const text = "Product: Lime; Jar: 500\n\nArticle: Hive; Price: 189\n\nArticle: Smoker; Price: 40";
  const names = (fromStart: boolean) => withSheetNames(textBlocks(text, 0, undefined, true), tables, fromStart).map((block) => block.kind === "table" && block.name);
  it("have their names above their tables", () => expect(names(true)).toEqual(["Honey", "Tools", "Old tools"]));
  it("are named only where it is sure which one it is", () => expect(names(false)).toEqual(["Honey", undefined, undefined]));
});
