// @vitest-environment happy-dom
import "../setup";
import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { describe, expect, it, vi } from "vitest";
import { sources } from "../recorded";
import { Composer } from "~/components/chat/Composer";
import { late } from "~/components/common/late";
import { copiedAnswer } from "~/components/source/copied";
import { translator } from "~/i18n";
import { en } from "~/i18n/en";

const show = (element: React.ReactNode) => render(<MantineProvider withCssVariables={false} withGlobalClasses={false}>{element}</MantineProvider>);

describe("Enter while an answer is written", () => {
  const act = () => ({ onText: vi.fn(), onSend: vi.fn(), onStop: vi.fn(), onCancelEdit: vi.fn() });
  const shared = { text: "And Vienna?", stopping: false, editing: false, scope: null };

  it("sends nothing, says why, and offers to stop", () => {
    const acts = act();
    show(<Composer {...shared} {...acts} working />);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter" });
    expect(acts.onSend).not.toHaveBeenCalled();
    expect(screen.getByRole("status").textContent).toContain("Your text is kept");
    fireEvent.click(screen.getByText("Stop the answer"));
    expect(acts.onStop).toHaveBeenCalled();
  });

  it("sends when the answer has ended", () => {
    const acts = act();
    show(<Composer {...shared} {...acts} working={false} />);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter" });
    expect(acts.onSend).toHaveBeenCalled();
  });
});

describe("a copied answer", () => {
  const t = translator(en, "en", "UTC");

  it("brings the sources that it cites, and leaves the note of the built-in model out", () => {
    const copied = copiedAnswer("One [2].\n\nNo language model is connected: these are sentences.", sources, t);
    expect(copied).toMatch(/^One \[2\]\.\n\nSources:\n\[2\] \S/);
    expect(copied).not.toContain("[1]");
    expect(copied).not.toContain("No language model");
  });

  it("is the text alone where nothing is cited", () => expect(copiedAnswer("Hello.\n", sources, t)).toBe("Hello."));
});

const gone = () => late<object>(async () => { throw new TypeError("Failed to fetch dynamically imported module"); });

it("says in its place that the server is away", async () => {
  vi.stubGlobal("fetch", async () => { throw new TypeError("Failed to fetch"); });
  const Part = gone();
  show(<Suspense><Part /></Suspense>);
  expect(await screen.findByText("The server cannot be reached")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Reload" })).toBeNull();
});

it("says in its place that a part cannot be loaded", async () => {
  vi.stubGlobal("fetch", async () => new Response('{"status":"ok"}'));
  const Part = gone();
  show(<Suspense><Part /></Suspense>);
  expect(await screen.findByText("A part of this page could not be loaded")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
});
