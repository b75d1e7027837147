/** Blocks of extracted text: headings, paragraphs and tables, what is meant marked, the passage around it with a bar at its side. */
import type { Piece, TextBlock } from "~/state/textLines";
import { numericColumns } from "~/state/numericColumns";
import { SideScroll } from "~/components/common/SideScroll";
import css from "./Blocks.module.css";

export const Blocks = ({ blocks }: { blocks: TextBlock[] }) => blocks.map((block) => <Block key={block.start} block={block} />);

const Pieces = ({ pieces }: { pieces: Piece[] }) => pieces.map((piece, index) => (piece.marked ? <mark key={index}><Strong text={piece.text} /></mark> : <Strong key={index} text={piece.text} />));

/** Markdown's emphasis, where a piece holds both ends of it. */
const Strong = ({ text }: { text: string }) => text.split(/\*\*(\S(?:[^*\n]*\S)?)\*\*/).map((part, index) => (index % 2 ? <strong key={index}>{part}</strong> : part));

const textOf = (cell: Piece[]) => cell.map((piece) => piece.text).join("");

function Block({ block }: { block: TextBlock }) {
  const shared = { className: css.block, "data-passage": block.passage || undefined, dir: "auto" } as const;
  if (block.kind === "heading") {
    const Heading = block.level <= 1 ? "h3" : "h4";
    return <Heading {...shared}><Pieces pieces={block.pieces} /></Heading>;
  }
  if (block.kind === "paragraph") return <p {...shared}><Pieces pieces={block.pieces} /></p>;
  const numeric = numericColumns(block.rows.map((row) => (row.head ? [] : row.cells.map(textOf))));
  return (
    <>
    {block.name && <h4 className={css.block} dir="auto">{block.name}</h4>}
    <SideScroll className={css.table}>
      <table>
        <tbody>
          {block.rows.map((row, index) => (
            <tr key={index} data-marked={row.marked || undefined}>
              {row.cells.map((cell, column) => row.head
                ? <th key={column} scope="col" dir="auto" data-number={numeric.has(column) || undefined}><Pieces pieces={cell} /></th>
                : <td key={column} dir="auto" data-number={numeric.has(column) || undefined} data-short={textOf(cell).length <= 32 || undefined}><Pieces pieces={cell} /></td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
    </>
  );
}
