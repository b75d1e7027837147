import { describe, expect, it } from "vitest";
import { parseNamed } from "~/api/names";

describe("names with controls of the writing direction", () => {
  it("shows them as their codes in names, raw or escaped", () => {
    expect(parseNamed('{"items":[{"name":"invoice\u202efdp.exe"}]}')).toEqual({ items: [{ name: "invoice⟨U+202E⟩fdp.exe" }] });
    expect(parseNamed('{"sources":[{"document_name":"a\\u2066b"}]}')).toEqual({ sources: [{ document_name: "a⟨U+2066⟩b" }] });
  });

  it("shows other characters that nobody sees, also in what went wrong", () => {
    expect(parseNamed('{"path":"a\\u0000b\\bc","detail":"\u200bred\u0085","title":"\u{e0041}x"}')).toEqual({ path: "a⟨U+0000⟩b⟨U+0008⟩c", detail: "⟨U+200B⟩red⟨U+0085⟩", title: "⟨U+E0041⟩x" });
    expect(parseNamed('{"name":"می\u200cخواهم 👩\u200d🔬","detail":"a\\nb\\tc"}')).toEqual({ name: "می\u200cخواهم 👩\u200d🔬", detail: "a\nb\tc" });
  });

  it("leaves texts alone, because passages are counted in them", () => {
    expect(parseNamed('{"text":"a\u202eb","name":"שלום"}')).toEqual({ text: "a\u202eb", name: "שלום" });
  });
});
