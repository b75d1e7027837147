/** Rows of different heights in a scrolling frame, each measured when it comes into view; only those are drawn. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import css from "./UnevenRows.module.css";

interface Properties<T> { items: T[]; height: number; keyOf: (item: T) => string | number; children: (item: T) => ReactNode; label: string; framed?: boolean; className?: string }

export function UnevenRows<T>({ items, height, keyOf, children, label, framed = true, className }: Properties<T>) {
  const scroll = useRef<HTMLDivElement>(null);
  // Heights belong to the items: one that moves up takes its own along.
  const rows = useVirtualizer({ count: items.length, getItemKey: (index) => { const item = items[index]; return item === undefined ? index : keyOf(item); }, getScrollElement: () => scroll.current, estimateSize: () => height, overscan: 6 });
  return (
    <div ref={scroll} className={className ? `${css.scroll} ${className}` : css.scroll} data-framed={framed || undefined} tabIndex={0} role="group" aria-label={label}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const item = items[row.index];
          return item !== undefined && (
            <li key={keyOf(item)} ref={rows.measureElement} data-index={row.index} data-last={row.index === items.length - 1 || undefined} style={{ transform: `translateY(${row.start}px)` }} aria-setsize={items.length} aria-posinset={row.index + 1}>
              {children(item)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
