import { expect, it } from "vitest";
import { type SseMessage, sseParser } from "~/api/sse";

const stream = ": hello\n\nid: 1\nevent: run.started.v1\ndata: {\"a\":1}\n\nid: 1.4\r\ndata: x\r\ndata: y\r\n\r\ndata\n\n";
const wanted = [{ id: "1", event: "run.started.v1", data: "{\"a\":1}" }, { id: "1.4", event: "message", data: "x\ny" }, { id: "1.4", event: "message", data: "" }];

function parse(pieces: string[]): SseMessage[] {
  const found: SseMessage[] = [];
  const feed = sseParser((message) => found.push(message));
  pieces.forEach(feed);
  return found;
}

it("reads messages, skips comments", () => expect(parse([stream])).toEqual(wanted));
it("reads the same however the bytes are cut", () => {
  for (let size = 1; size < 9; size += 1) {
    expect(parse(stream.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [])).toEqual(wanted);
  }
});
