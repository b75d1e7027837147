import { describe, expect, it } from "vitest";
import { covers, rowWindow } from "~/state/rowWindow";

const height = 40;
const view = 600;

describe("the rows that are drawn", () => {
  it("stay the same while a scroll moves within a step", () => {
    expect(rowWindow(4000, view, height, 10_000)).toEqual({ first: 92, end: 127 });
    expect(rowWindow(4159, view, height, 10_000)).toEqual({ first: 92, end: 127 });
    expect(rowWindow(4160, view, height, 10_000)).toEqual({ first: 96, end: 131 });
  });

  it("cover what is seen at every place, with rows to spare", () => {
    for (let top = 0; top <= 10_000 * height - view; top += 997) {
      const shown = rowWindow(top, view, height, 10_000);
      expect(covers(shown, top, view, height, 10_000)).toBe(true);
      expect(shown.end - shown.first).toBeLessThanOrEqual(36);
    }
  });

  it("end with the list, and begin with it when it is pulled beyond its edge", () => {
    expect(rowWindow(0, view, height, 3)).toEqual({ first: 0, end: 3 });
    expect(rowWindow(-80, view, height, 100).first).toBe(0);
    expect(rowWindow(9000, view, height, 0)).toEqual({ first: 0, end: 0 });
  });

  it("do not cover a jump", () => {
    expect(covers(rowWindow(0, view, height, 10_000), 8000, view, height, 10_000)).toBe(false);
  });
});
