import { describe, expect, it } from "vitest";
import { emptyList, type List, nextOf, withHead, withItems, without, withPage } from "~/state/lists";

interface Row { id: string; text?: string }
const rows = (ids: string): Row[] => [...ids].map((id) => ({ id }));
const page = (ids: string, next: string | null) => ({ items: rows(ids), next_cursor: next });
const ids = (list: List<Row>) => list.items.map((item) => item.id).join("");
const known: List<Row> = withPage(withPage(emptyList as List<Row>, null, page("abcd", "d")), "d", page("efgh", "h"));

describe("pages", () => {
  it("follow each other, and each row stands there once", () => {
    const list = withPage(known, "h", page("hij", null));
    expect([ids(list), nextOf(list)]).toEqual(["abcdefghij", null]);
  });

  it("asked again replace themselves and keep the rows that say the same", () => {
    const list = withPage(known, null, { items: [{ id: "a" }, { id: "c", text: "new" }, { id: "d" }], next_cursor: "d" });
    expect(ids(list)).toBe("acdefgh");
    expect([list.items[0] === known.items[0], list.items[1] === known.items[2]]).toEqual([true, false]);
  });
});

describe("the newest page", () => {
  it("puts new and moved rows at the head and loses nothing behind it", () => {
    const list = withHead(known, page("xfab", "b"));
    expect([ids(list), nextOf(list)]).toEqual(["xfabcdegh", "h"]);
  });

  it("drops what it lacks", () => {
    expect(ids(withHead(known, page("abde", "e")))).toBe("abdefgh");
    expect(ids(withHead(known, page("ab", null)))).toBe("ab");
  });

  it("begins anew when it shares no row with what is known", () => {
    const list = withHead(known, page("vwxy", "y"));
    expect([ids(list), nextOf(list)]).toEqual(["vwxy", "y"]);
  });
});

describe("single rows", () => {
  it("are exchanged in their place or taken out", () => {
    const list = withItems(known, [{ id: "f", text: "new" }, { id: "z" }]);
    expect([ids(list), list.items[5]?.text]).toEqual(["abcdefgh", "new"]);
    expect(ids(without(known, "e"))).toBe("abcdfgh");
  });

  it("that say the same change nothing", () => {
    expect(withItems(known, [{ id: "a" }])).toBe(known);
  });
});
