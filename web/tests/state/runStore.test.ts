import { expect, it } from "vitest";
import { fullRun } from "../recorded";
import { textOf } from "~/state/runState";
import { type Sources, RunStore } from "~/state/runStore";

const events = fullRun("r", "q").map((item) => item.event);
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

function store(follow: Sources["follow"]): RunStore {
  return new RunStore({ read: async () => events.filter((event) => event.type !== "chat.stream.v1"), follow, connectNow: () => undefined, schedule: (callback) => callback() });
}

it("opens one stream for all who use a run", async () => {
  let opened = 0;
  const runs = store(async (_, handlers) => { opened += 1; events.forEach(handlers.onEvent); });
  runs.use("r", false);
  runs.use("r", false);
  await settle();
  expect(opened).toBe(1);
  expect(runs.view("r").state.ended).toBe(true);
});

it("reads a run that ended without a stream", async () => {
  const runs = store(async () => { throw new Error("not asked"); });
  runs.use("r", true);
  await settle();
  expect(textOf(runs.view("r").state)).toContain("Notice period");
});

it("refuses an event after a gap, so that the stream is asked again", async () => {
  let refused = false;
  const runs = store(async (_, handlers) => {
    handlers.onEvent(events[0]!);
    try { handlers.onEvent({ ...events[0]!, seq: 9 }); } catch { refused = true; }
    expect(handlers.after()).toBe(1);
  });
  runs.use("r", false);
  await settle();
  expect(refused).toBe(true);
});
