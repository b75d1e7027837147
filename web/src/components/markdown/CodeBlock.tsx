/** A block of code with a copy button. Nothing in it is interpreted. */
import { type ReactNode, useRef } from "react";
import { CopyButton } from "~/components/common/CopyButton";
import { SideScroll } from "~/components/common/SideScroll";
import css from "./CodeBlock.module.css";

export function CodeBlock({ children }: { children: ReactNode }) {
  const block = useRef<HTMLPreElement>(null);
  return (
    <div className={css.block}>
      <SideScroll className={css.frame}><pre ref={block} dir="ltr">{children}</pre></SideScroll>
      <div className={css.copy}><CopyButton text={() => block.current?.textContent ?? ""} /></div>
    </div>
  );
}
