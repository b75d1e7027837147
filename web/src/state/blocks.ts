/** Markdown text cut at places where no construct can reach across, so that a streaming answer re-renders its last piece only. */

const fence = /^ {0,3}(```+|~~~+)/;
const item = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;

export function splitBlocks(text: string): string[] {
  const lines = text.split("\n");
  const blocks: string[] = [];
  let current: string[] = [];
  let open: string | null = null;
  let list = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const mark = fence.exec(line)?.[1];
    if (mark && open === null) open = mark;
    else if (mark && open !== null && mark.startsWith(open)) open = null;
    const next = lines[index + 1];
    current.push(line);
    list ||= open === null && item.test(line);
    // An indented line may belong to what stands before the blank line, and an item to the list before it; nothing else does.
    if (open === null && line.trim() === "" && next !== undefined && next.trim() !== "" && !/^\s/.test(next) && !(list && item.test(next))) {
      blocks.push(current.join("\n"));
      current = [];
      list = false;
    }
  }
  if (current.length) blocks.push(current.join("\n"));
  return blocks;
}
