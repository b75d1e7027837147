/** Markdown text cut at places where no construct can reach across, so that a streaming answer re-renders its last piece only. */

const fence = /^ {0,3}(```+|~~~+)/;
/** A line that may belong to what stands before the blank line: indented, a list item, a quote, a table row, a definition. */
const continues = /^(\s|[-*+] |\d+[.)] |>|\||\[)/;

export function splitBlocks(text: string): string[] {
  const lines = text.split("\n");
  const blocks: string[] = [];
  let current: string[] = [];
  let open: string | null = null;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const mark = fence.exec(line)?.[1];
    if (mark && open === null) open = mark;
    else if (mark && open !== null && mark.startsWith(open)) open = null;
    const next = lines[index + 1];
    current.push(line);
    if (open === null && line.trim() === "" && next !== undefined && next.trim() !== "" && !continues.test(next)) {
      blocks.push(current.join("\n"));
      current = [];
    }
  }
  if (current.length) blocks.push(current.join("\n"));
  return blocks;
}
