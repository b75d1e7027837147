/** Extracted text on a few lines without its marks: headings, table bars and rules, emphasis. For previews; the viewer shows structure. */

export function plain(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*\|?[\s:|-]*-{2,}[\s:|-]*$/.test(line))
    .map((line) => line.replace(/^\s*#{1,6}\s+/, "").replace(/^\s*\|\s*|\s*\|\s*$/g, "").replace(/\s*\|\s*/g, " · ").replace(/\*\*(.+?)\*\*/g, "$1"))
    .filter((line) => line.trim())
    .join("\n");
}
