/** Extracted text without its marks: headings, table bars and rules, emphasis. For previews; the viewer shows structure. */

const heading = /^\s*#{1,6}\s+/;
const item = /^\s*[-*•]\s+/;
const row = /^\s*\|.*\|\s*$/;
const rule = /^\s*\|?[\s:|-]*-{2,}[\s:|-]*$/;

const lines = (text: string) => text.split("\n").filter((line) => line.trim() && !rule.test(line));
const bare = (line: string) => line.replace(heading, "").replace(/^\s*\|\s*|\s*\|\s*$/g, "").replace(/\s*\|\s*/g, " · ").replace(/\*\*(.+?)\*\*/g, "$1");

export function plain(text: string): string {
  return lines(text).map(bare).filter((line) => line.trim()).join("\n");
}

/** All on one line; where a heading, an entry of a list or a row of a table ended there is a sign, so that they do not run into each other. */
export function oneLine(text: string): string {
  let before = "";
  return lines(text).map((line) => {
    const breaks = heading.test(before) || row.test(before) || item.test(before) || item.test(line) || row.test(line);
    const joint = !before ? "" : !breaks ? " " : row.test(before) && row.test(line) ? "; " : /[.:;!?…]\s*$/.test(before) ? " " : " – ";
    before = line;
    return joint + bare(line.replace(item, "")).trim();
  }).join("");
}
