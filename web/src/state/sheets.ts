/** The names of a workbook's sheets, put over the tables that their rows became. */
import type { Structure } from "~/api/types";
import type { TextBlock } from "./textLines";

type Table = NonNullable<Structure["tables"]>[number];

/** A table belongs to the sheet whose columns it has. Of sheets with the same columns the order decides, which is known only where the text is read from its start. */
export function withSheetNames(blocks: TextBlock[], tables: Table[], fromStart: boolean): TextBlock[] {
  const used = new Map<string, number>();
  return blocks.map((block) => {
    if (block.kind !== "table") return block;
    const columns = (block.rows[0]?.cells ?? []).map((cell) => cell.map((piece) => piece.text).join(""));
    const like = tables.filter((table) => columns.every((column) => table.header.includes(column)));
    const key = like.map((table) => table.name).join("\n");
    const at = used.get(key) ?? 0;
    used.set(key, at + 1);
    const name = like.length === 1 ? (at === 0 ? like[0]?.name : undefined) : fromStart ? like[at]?.name : undefined;
    return name ? { ...block, name } : block;
  });
}
