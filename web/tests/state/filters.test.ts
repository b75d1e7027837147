import { describe, expect, it } from "vitest";
import type { RunEvent } from "~/api/types";
import { translator } from "~/i18n";
import { en } from "~/i18n/en";
import { eventWords } from "~/state/eventWords";
import { folded, namesIt } from "~/state/foldedWords";
import { scoreOf, unfiltered } from "~/state/searchAddress";

describe("a name is found as people type it", () => {
  it.each([["America/New_York", "New York"], ["Europe/Zurich", "Zürich"], ["Europe/Zurich", "europe zur"], ["America/Sao_Paulo", "São Paulo"]])("%s by %s", (name, wanted) => expect(namesIt(name, wanted)).toBe(true));
  it("and not by another", () => expect(namesIt("Europe/Zurich", "Bern")).toBe(false));
  it("folded once", () => expect(folded("  Île_de  Ré ")).toBe("ile de re"));
});

describe("a lowest score", () => {
  it.each([["0.5", 0.5], ["0,35", 0.35], ["", 0], [1, 1]])("%s is read", (text, score) => expect(scoreOf(text)).toBe(score));
  it.each(["5", "-1", "abc", "1e9"])("%s is none", (text) => expect(scoreOf(text)).toBeNull());
});

it("events of one kind are told apart by what they are about", () => {
  const of = (type: string, data: Record<string, unknown>) => ({ type, data }) as unknown as RunEvent;
  expect(eventWords([
    of("run.round.v1", { round: 1 }), of("chat.tool-call.v1", { round: 1, call_id: "c", tool: "calculate", status: "running" }), of("chat.tool-result.v1", { call_id: "c", status: "succeeded" }),
    of("chat.sources.v1", {}),
  ])).toEqual(["round 1", "round 1 · calculate · running", "calculate · succeeded", ""]);
});

it("what is searched stays when the filters go", () => expect(unfiltered({ q: "dog", mode: "keyword", base: "b", type: "pdf", since: "2026-01-01", score: 0.5 })).toEqual({ q: "dog", mode: "keyword" }));

it("a day of the calendar is the same in every zone", () => expect(["UTC", "Pacific/Honolulu", "Pacific/Auckland"].map((zone) => translator(en, "en", zone).day("2026-11-30"))).toEqual(Array(3).fill("Nov 30, 2026")));
