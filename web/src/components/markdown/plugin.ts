/** Turns `[n]` in an answer's text into citation nodes, and takes away every meaning a link definition could give them. */
import type { Definition, LinkReference, Nodes, Parents, PhrasingContent, Root, RootContent, Table } from "mdast";
import { marker } from "~/state/citations";
import { amounts } from "~/state/joined";
import { numericColumns } from "~/state/numericColumns";

type Citation = { type: "citation"; data: { hName: string; hProperties: Record<string, string> }; children: { type: "text"; value: string }[] };

/** `tail`: the sign that ends the sentence, which must not begin a line of its own. */
function citation(n: string, tail: string): Citation {
  return { type: "citation", data: { hName: "cite", hProperties: { dataN: n, dataTail: tail } }, children: [{ type: "text", value: n + tail }] };
}

const closing = /^[.,;:!?…)\]»”’]+/;

function cut(value: string): PhrasingContent[] {
  const parts: unknown[] = [];
  let last = 0;
  for (const match of value.matchAll(marker)) {
    if (match.index > last) parts.push({ type: "text", value: amounts(value.slice(last, match.index)) });
    last = match.index + match[0].length;
    const tail = closing.exec(value.slice(last))?.[0] ?? "";
    const numbers = (match[1] ?? "").split(/[,;]/);
    numbers.forEach((n, index) => parts.push(citation(String(Number(n)), index === numbers.length - 1 ? tail : "")));
    last += tail.length;
  }
  if (last < value.length) parts.push({ type: "text", value: amounts(value.slice(last)) });
  return keepTogether(parts as Part[]).flatMap((part): (Part | Kept)[] => (part.type === "text" ? keepDates(part) : [part])) as unknown as PhrasingContent[];
}

type Text = { type: "text"; value: string };
type Part = Text | Citation;
type Kept = { type: "kept"; data: { hName: string }; children: Part[] };

/** The word before a number stays on its line. A very long word may be left alone. */
function keepTogether(parts: Part[]): (Part | Kept)[] {
  const result: (Part | Kept)[] = [];
  for (const part of parts) {
    const before = result.at(-1);
    const word = part.type === "citation" && before?.type === "text" ? /(?<!\S)\S{1,24}\s*$/.exec(before.value) : null;
    if (before?.type !== "text" || !word) { result.push(part); continue; }
    before.value = before.value.slice(0, word.index);
    if (!before.value) result.pop();
    result.push(kept([{ type: "text", value: word[0] }, part]));
  }
  return result;
}

const kept = (children: Part[]): Kept => ({ type: "kept", data: { hName: "span" }, children });

/** A date in figures is not torn apart at its hyphens. */
function keepDates({ value }: Text): (Text | Kept)[] {
  return value.split(/(?<![\w-])(\d{4}-\d\d-\d\d)(?![\w-])/).flatMap((text, at): (Text | Kept)[] => (!text ? [] : at % 2 ? [kept([{ type: "text", value: text }])] : [{ type: "text", value: text }]));
}

/** `[1]` with a `[1]: address` somewhere in the text is still a citation; other references show their label. */
function reference(node: LinkReference): PhrasingContent[] {
  const label = node.label ?? node.identifier;
  const inner = node.children.map((child) => ("value" in child ? child.value : "")).join("");
  if (node.referenceType === "full") return [...cut(`[${inner}]`), ...cut(`[${label}]`)];
  return cut(`[${label}]`);
}

function definition(node: Definition): RootContent {
  return { type: "paragraph", children: [...cut(`[${node.label ?? node.identifier}]`), { type: "text", value: `: ${node.url}` }] };
}

const words = (node: Nodes): string => ("value" in node ? node.value : "children" in node ? node.children.map(words).join("") : "");

/** A column of amounts that the text does not align has its digits below each other; what is one short word stays whole. */
function align(table: Table): void {
  for (const cell of table.children.flatMap((row) => row.children)) {
    if (/^\S{1,24}$/.test(words(cell).replace(marker, "").trim())) cell.data = { hProperties: { dataWhole: true } };
  }
  const rows = table.children.slice(1).map((row) => row.children.map((cell) => words(cell).replace(marker, "")));
  const given = table.align ?? [];
  const numeric = numericColumns(rows);
  table.align = (table.children[0]?.children ?? []).map((_, column) => given[column] ?? (numeric.has(column) ? "right" : null));
}

function walk(parent: Parents): void {
  const next: Nodes[] = [];
  for (const child of parent.children) {
    if (child.type === "text") next.push(...cut(child.value));
    else if (child.type === "linkReference") next.push(...reference(child));
    else if (child.type === "definition") next.push(definition(child));
    else {
      if (child.type === "table") align(child);
      if ("children" in child) walk(child);
      next.push(child);
    }
  }
  parent.children = next as never;
}

export function citations() {
  return (tree: Root) => walk(tree);
}
