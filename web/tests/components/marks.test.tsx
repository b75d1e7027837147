// @vitest-environment happy-dom
import "../setup";
import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Recorder } from "../recorded";
import { Ending } from "~/components/chat/Ending";
import { Timeline } from "~/components/runs/Timeline";
import { useEscape } from "~/hooks/escape";
import { foldAll } from "~/state/runState";

const show = (element: React.ReactNode) => render(<MantineProvider withCssVariables={false} withGlobalClasses={false}>{element}</MantineProvider>);

/** One look-up done, one cut off by the stop. */
const stopped = (text: string) => foldAll("r", new Recorder("r")
  .durable("run.started.v1", { request: {} }).round(1, 100)
  .step({ call_id: "a", tool: "search_documents", round: 1 }).step({ call_id: "b", tool: "search_documents", round: 1 }).result("a", {})
  .durable("chat.done.v1", { text, status: "stopped", sources: [] }).durable("run.summary.v1", { status: "stopped" })
  .timed.map(({ event }) => event));

describe("a run that was stopped", () => {
  it("marks in its timeline what was cancelled", () => {
    show(<Timeline state={stopped("")} />);
    const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
    expect(rows.filter((row) => row?.includes("cancelled"))).toHaveLength(1);
  });
  it("says whether anything was written", () => {
    show(<Ending state={stopped("")} />);
    expect(screen.getByText(/Nothing was written yet/)).toBeTruthy();
    show(<Ending state={stopped("Half an")} />);
    expect(screen.getByText(/1 step\. What was written stays/)).toBeTruthy();
  });
});

describe("Escape", () => {
  function Panel({ close }: { close: () => void }) {
    useEscape(close);
    return <><textarea defaultValue="half a thought" /><input type="search" defaultValue="words" /></>;
  }
  it("closes what stands beside the page, also from a field that is not its own", () => {
    const close = vi.fn();
    show(<Panel close={close} />);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Escape" });
    expect(close).toHaveBeenCalledOnce();
  });
  it("leaves it where the key means something nearer", () => {
    const close = vi.fn();
    show(<><Panel close={close} /><button type="button" aria-haspopup="menu" aria-expanded="true">More</button></>);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Escape" });
    screen.getByText("More").setAttribute("aria-expanded", "false");
    fireEvent.keyDown(screen.getByRole("searchbox"), { key: "Escape" });
    expect(close).not.toHaveBeenCalled();
  });
});
