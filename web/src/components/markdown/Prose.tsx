/** Model text as a closed set of nodes. HTML in it is text, pictures are not loaded, links lead nowhere; only citations can be clicked. */
import { memo, useEffect, useMemo, useState } from "react";
import Renderer, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { splitBlocks } from "~/state/blocks";
import { Citation } from "./Citation";
import { SideScroll } from "~/components/common/SideScroll";
import { CodeBlock } from "./CodeBlock";
import { citations } from "./plugin";
import { InertImage, InertLink } from "./Inert";
import css from "./Markdown.module.css";

const elements = [
  "p", "br", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "table", "thead", "tbody", "tr",
  "th", "td", "a", "img", "cite", "span", "sup", "input",
];

const components: Components = {
  cite: ({ node }) => <span className={css.keep}><Citation n={Number(node?.properties.dataN)} />{String(node?.properties.dataTail ?? "")}</span>,
  span: ({ children }) => <span className={css.kept}>{children}</span>,
  a: ({ href, children }) => <InertLink address={href ?? ""}>{children}</InertLink>,
  img: ({ src, alt }) => <InertImage address={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => <SideScroll className={css.table}><table>{children}</table></SideScroll>,
  input: ({ checked }) => <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span>,
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ children }) => <li dir="auto">{children}</li>,
  // The page has its own first and second headings; an answer's begin below them.
  h1: ({ children }) => <h3 dir="auto">{children}</h3>,
  h2: ({ children }) => <h3 dir="auto">{children}</h3>,
  h3: ({ children }) => <h4 dir="auto">{children}</h4>,
  h4: ({ children }) => <h4 dir="auto">{children}</h4>,
  h5: ({ children }) => <h4 dir="auto">{children}</h4>,
  h6: ({ children }) => <h4 dir="auto">{children}</h4>,
};
const plugins = [remarkGfm, citations];
const verbatim = (url: string) => url;

const Piece = memo(function Piece({ text }: { text: string }) {
  return (
    <Renderer remarkPlugins={plugins} components={components} allowedElements={elements} unwrapDisallowed urlTransform={verbatim}>
      {text}
    </Renderer>
  );
});

/** How many pieces of a text that is being written are drawn: what arrived at once is drawn in steps, so that a slow device can do other things in between. */
function useSteps(count: number, live: boolean): number {
  const [shown, setShown] = useState(step);
  const behind = live && shown < count;
  useEffect(() => {
    if (!behind) return;
    const timer = setTimeout(() => setShown((now) => now + step), 0);
    return () => clearTimeout(timer);
  }, [behind, shown]);
  return behind ? shown : count;
}
const step = 2;

export function Prose({ text, live = false }: { text: string; live?: boolean }) {
  const pieces = useMemo(() => splitBlocks(text), [text]);
  const shown = useSteps(pieces.length, live);
  return (
    <div className={css.prose} data-live={live || undefined}>
      {pieces.slice(0, shown).map((piece, index) => <Piece key={index} text={piece} />)}
    </div>
  );
}
