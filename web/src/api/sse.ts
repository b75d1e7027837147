/** A parser of `text/event-stream`: feed it text as it comes, it hands over whole messages. Source: the HTML standard, 9.2.6. */

export interface SseMessage { id: string; event: string; data: string }

export function sseParser(onMessage: (message: SseMessage) => void): (text: string) => void {
  let rest = "";
  let id = "";
  let event = "";
  let data: string[] = [];

  function line(text: string): void {
    if (text === "") {
      if (data.length) onMessage({ id, event: event || "message", data: data.join("\n") });
      event = "";
      data = [];
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + (text[colon + 1] === " " ? 2 : 1));
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value;
  }

  return (text) => {
    rest += text;
    // A carriage return at the very end may be half of a CRLF: wait for what follows.
    const held = rest.endsWith("\r") ? "\r" : "";
    const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + held;
    lines.forEach(line);
  };
}
