import { expect, it } from "vitest";
import { paced } from "~/state/pace";

/** A clock whose timers are run by hand. */
function clock() {
  let time = 0;
  const timers: { at: number; callback: () => void }[] = [];
  const later = (callback: () => void, ms: number) => { timers.push({ at: time + ms, callback }); };
  const pass = (ms: number) => {
    time += ms;
    for (const timer of timers.splice(0)) if (timer.at <= time) timer.callback(); else timers.push(timer);
  };
  return { now: () => time, later, frame: (callback: () => void) => later(callback, 0), pass };
}

it("draws before the next picture while pictures are cheap", () => {
  const hand = clock();
  const schedule = paced(hand);
  const drawn: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    schedule(() => drawn.push(hand.now()));
    hand.pass(0);
    hand.pass(5);
  }
  expect(drawn).toEqual([0, 5, 10]);
});

it("waits after an expensive picture for as long as it took", () => {
  const hand = clock();
  const schedule = paced(hand);
  const drawn: number[] = [];
  schedule(() => { drawn.push(hand.now()); });
  hand.pass(0);
  hand.pass(40);
  schedule(() => drawn.push(hand.now()));
  hand.pass(20);
  expect(drawn).toEqual([0]);
  hand.pass(20);
  hand.pass(0);
  expect(drawn).toEqual([0, 80]);
});
