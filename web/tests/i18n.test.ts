import { describe, expect, it } from "vitest";
import type { KnowledgeBase } from "~/api/types";
import { translator } from "~/i18n";
import { de } from "~/i18n/de";
import { en } from "~/i18n/en";
import { fr } from "~/i18n/fr";
import { nl } from "~/i18n/nl";
import { inWords } from "~/state/sampleBase";

const names = (message: unknown) => [...JSON.stringify(message).matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
const unique = (list: (string | undefined)[]) => [...new Set(list)];

describe.each(Object.entries({ de, nl, fr }))("%s", (_, catalogue) => {
  it("has every message", () => expect(Object.keys(catalogue)).toEqual(Object.keys(en)));
  it("fills in the same values", () => {
    for (const [key, message] of Object.entries(en)) expect([key, unique(names(catalogue[key as keyof typeof en]))]).toEqual([key, unique(names(message))]);
  });
});

it("chooses the plural by the number", () => {
  const t = translator(en, "en", "UTC");
  expect(t("kb.documents", { count: 1 })).toBe("1 document");
  expect(t("kb.documents", { count: 1200 })).toBe("1,200 documents");
});

it("shows dates in the user's zone", () => {
  expect(translator(en, "en", "Asia/Tokyo").date("2026-11-30T20:00:00Z")).toContain("Dec 1, 2026");
});

it("keeps the signs of French with the word before them", () => {
  expect(translator(fr, "fr", "UTC")("app.failedHint", { detail: "a : b" })).toBe("Le serveur répond\u00a0: a : b");
});

it("carries sixty seconds into the next minute", () => {
  expect(translator(en, "en", "UTC").duration(119_600)).toBe("2 min 0 sec");
});

it("tells a time below a millisecond as less than one, not as none", () => {
  expect([0, 0.2, 1].map(translator(en, "en", "UTC").duration)).toEqual(["< 1 ms", "< 1 ms", "1 ms"]);
});

it("names the sample base in the reader's language, and only that one", () => {
  const t = translator(de, "de", "UTC");
  const base = { id: "b", name: en["kb.sampleName"], description: en["kb.sampleText"], document_count: 21, fact_count: 0 } as KnowledgeBase;
  expect(inWords(base, t)).toMatchObject({ name: "Beispielbüro", description: "Dateien einer erfundenen Firma zum Ausprobieren." });
  expect(inWords({ ...base, name: "Mine", description: "My files." }, t)).toMatchObject({ name: "Mine", description: "My files." });
});
