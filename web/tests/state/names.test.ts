import { describe, expect, it } from "vitest";
import { parseNamed } from "~/api/names";

describe("names with controls of the writing direction", () => {
  it("shows them as their codes in names, raw or escaped", () => {
    expect(parseNamed('{"items":[{"name":"invoice\u202efdp.exe"}]}')).toEqual({ items: [{ name: "invoice⟨U+202E⟩fdp.exe" }] });
    expect(parseNamed('{"sources":[{"document_name":"a\\u2066b"}]}')).toEqual({ sources: [{ document_name: "a⟨U+2066⟩b" }] });
  });

  it("leaves texts alone, because passages are counted in them", () => {
    expect(parseNamed('{"text":"a\u202eb","name":"שלום"}')).toEqual({ text: "a\u202eb", name: "שלום" });
  });
});
