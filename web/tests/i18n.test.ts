import { describe, expect, it } from "vitest";
import { translator } from "~/i18n";
import { de } from "~/i18n/de";
import { en } from "~/i18n/en";
import { fr } from "~/i18n/fr";
import { nl } from "~/i18n/nl";

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
