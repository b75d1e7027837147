import { describe, expect, it } from "vitest";
import { failure, fullRun, Recorder, refusal } from "../recorded";
import type { RunEvent } from "~/api/types";
import { fold, foldAll, startState, textOf } from "~/state/runState";

const events = fullRun("r", "question").map((item) => item.event);
const durable = events.filter((event) => event.type !== "chat.stream.v1");
const done = String(events.find((event) => event.type === "chat.done.v1")?.data.text);

describe("a recorded run", () => {
  it("ends with the text of chat.done.v1, byte for byte", () => {
    expect(textOf(foldAll("r", events))).toBe(done);
  });

  it("is the same from the durable events alone", () => {
    const live = foldAll("r", events);
    const replayed = foldAll("r", durable);
    expect(textOf(replayed)).toBe(textOf(live));
    expect(replayed.calls).toEqual(live.calls);
    expect(replayed.blocks.map((block) => block.kind)).toEqual(live.blocks.map((block) => block.kind));
  });

  it("is not changed by events that come twice", () => {
    expect(foldAll("r", events.flatMap((event) => [event, event]))).toEqual(foldAll("r", events));
  });

  it("streams the same text before the response is settled", () => {
    const upTo = events.findLastIndex((event) => event.type === "chat.stream.v1") + 1;
    expect(textOf(foldAll("r", events.slice(0, upTo)))).toBe(done);
  });

  it("goes on after a reconnection at every point with the text so far", () => {
    for (let cut = 1; cut < events.length; cut += 7) {
      const before = foldAll("r", events.slice(0, cut));
      const rest = resumed(events, cut, before.seq);
      expect(textOf(rest.reduce(fold, before))).toBe(done);
    }
  });

  it("keeps calls in order and shows each once", () => {
    const state = foldAll("r", events);
    expect(state.blocks.flatMap((block) => (block.kind === "calls" ? block.ids : []))).toEqual(["c1", "c2", "c3", "c4"]);
    expect(state.calls.c4).toMatchObject({ blocked: true, status: "failed", network: false });
  });

  it("asks again when a durable event is missing", () => {
    const state = foldAll("r", durable.slice(0, 3));
    expect(fold(state, durable[4] as RunEvent).gap).toBe(true);
    expect(fold(state, durable[3] as RunEvent).gap).toBe(false);
  });
});

/** What a server sends to a client that comes back: durable events after `seq`, the text so far of an open response in one piece, then live. */
function resumed(all: RunEvent[], cut: number, seq: number): RunEvent[] {
  const missed = all.slice(0, cut).filter((event) => event.type !== "chat.stream.v1" && event.seq > seq);
  const lastDurable = all.slice(0, cut).findLastIndex((event) => event.type !== "chat.stream.v1");
  const pieces = all.slice(lastDurable + 1, cut);
  const first = pieces[0];
  const soFar = first ? [{ ...first, data: { offset: first.data.offset, delta: pieces.map((event) => String(event.data.delta)).join("") } }] : [];
  return [...missed, ...soFar, ...all.slice(cut)];
}

describe("text offsets", () => {
  it("count characters, not UTF-16 units", () => {
    const record = new Recorder("r").durable("run.started.v1", {}).round(1, 10).say("a😀b👩‍🚀c", 1, 1);
    expect(textOf(foldAll("r", record.timed.map((item) => item.event)))).toBe("a😀b👩‍🚀c");
  });

  it("take text so far that begins in an earlier round", () => {
    const record = new Recorder("r").durable("run.started.v1", {}).round(1, 10).say("one ").durable("run.response.v1", { round: 1, text: "one ", calls: [] }).round(2, 20);
    const state = foldAll("r", record.timed.map((item) => item.event));
    const piece = { seq: state.seq, run_id: "r", type: "chat.stream.v1", time: "", data: { offset: 0, delta: "one two" } };
    expect(textOf(fold(state, piece))).toBe("one two");
  });

  it("begin a round where the server says, also after a separator", () => {
    const record = new Recorder("r").durable("run.started.v1", {}).round(1, 10).say("one").durable("run.response.v1", { round: 1, text: "one", calls: [] }).round(2, 20);
    const state = foldAll("r", record.timed.map((item) => item.event));
    const at = (offset: number, delta: string): RunEvent => ({ seq: state.seq, run_id: "r", type: "chat.stream.v1", time: "", data: { offset, delta } });
    expect(textOf([at(5, "tw"), at(7, "o")].reduce(fold, state))).toBe("onetwo");
  });
});

describe("endings", () => {
  it("a failed run keeps the problem and ends", () => {
    const state = foldAll("r", failure("r", "q").map((item) => item.event));
    expect(state).toMatchObject({ ended: true, status: "failed", problem: { status: 503 } });
  });

  it("a refusal keeps what was found for the reader", () => {
    const state = foldAll("r", refusal("r", "q").map((item) => item.event));
    expect(state.status).toBe("completed");
    expect(state.sources.length).toBe(2);
  });

  it("a stopped run leaves no call running", () => {
    const record = new Recorder("r").durable("run.started.v1", {}).round(1, 10)
      .durable("run.response.v1", { round: 1, text: "", calls: [] }).step({ round: 1, call_id: "c", tool: "read_document" })
      .durable("chat.done.v1", { text: "", sources: [], status: "stopped" }).durable("run.summary.v1", { status: "stopped", rounds: 1, calls: 1 });
    expect(foldAll("r", record.timed.map((item) => item.event)).calls.c?.status).toBe("cancelled");
  });

  it("an unknown event is counted and changes nothing else", () => {
    const state = fold(startState("r"), { seq: 1, run_id: "r", type: "later.v9", time: "", data: {} });
    expect(state).toEqual({ ...startState("r"), seq: 1 });
  });
});
