/** Rows of a long list in a scrolling frame; only those in view are drawn. All are as high as the first, unless they are `measured` each. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import css from "./LongRows.module.css";

interface Properties<T> {
  items: T[]; height: number; keyOf: (item: T) => string | number; children: (item: T) => ReactNode;
  label?: string; framed?: boolean; measured?: boolean; className?: string;
  /** Called when the last rows come near; more may be brought. */
  onEnd?: () => void;
}

export function LongRows<T>({ items, height, keyOf, children, label, framed = true, measured = false, className, onEnd }: Properties<T>) {
  const scroll = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(height);
  const rows = useVirtualizer({ count: items.length, getScrollElement: () => scroll.current, estimateSize: () => size, overscan: 6 });
  const shown = rows.getVirtualItems();
  const end = shown.at(-1)?.index ?? 0;
  useEffect(() => { if (end >= items.length - 20) onEnd?.(); }, [end, items.length, onEnd]);
  useLayoutEffect(() => {
    const frame = scroll.current;
    if (measured || !frame) return;
    // The reader's own font size, or a narrow window, changes all rows alike.
    const observer = new ResizeObserver(() => {
      const row = frame.querySelector("li")?.firstElementChild;
      if (row instanceof HTMLElement && row.offsetHeight > 0) setSize(row.offsetHeight);
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [measured, items.length > 0]);
  useLayoutEffect(() => { rows.measure(); }, [size]);
  return (
    <div ref={scroll} className={className ? `${css.scroll} ${className}` : css.scroll} data-framed={framed || undefined} tabIndex={label ? 0 : undefined} role={label ? "group" : undefined} aria-label={label}>
      <ul style={{ height: rows.getTotalSize() }}>
        {shown.map((row) => {
          const item = items[row.index];
          return item !== undefined && (
            <li key={keyOf(item)} ref={measured ? rows.measureElement : undefined} data-index={row.index} style={{ transform: `translateY(${row.start}px)` }} aria-setsize={items.length} aria-posinset={row.index + 1}>
              {children(item)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
