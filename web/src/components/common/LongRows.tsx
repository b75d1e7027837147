/** Rows of one height in a scrolling frame; only those in view are drawn, and ten thousand of them stay smooth. */
import { type FocusEvent, memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { covers, rowWindow } from "~/state/rowWindow";
import css from "./LongRows.module.css";

interface Properties<T> {
  items: T[]; height: number; keyOf: (item: T) => string; children: (item: T) => ReactNode; label?: string; framed?: boolean; className?: string;
  /** As high as the room of its page allows, four rows at least. */
  fill?: boolean;
  /** Called when the last rows come near; more may be brought. */
  onEnd?: () => void;
}

export function LongRows<T>({ items, height, keyOf, children, label, framed = true, className, fill = false, onEnd }: Properties<T>) {
  const scroll = useRef<HTMLDivElement>(null);
  const count = items.length;
  const [size, setSize] = useState(height);
  const [place, setPlace] = useState(() => rowWindow(0, 800, height, count));
  const [held, setHeld] = useState<number | null>(null);
  useLayoutEffect(() => {
    const frame = scroll.current;
    if (!frame) return;
    let known = place;
    const look = () => {
      const { scrollTop, clientHeight } = frame;
      const next = rowWindow(scrollTop, clientHeight, size, count);
      if (next.first === known.first && next.end === known.end) return;
      const blank = !covers(known, scrollTop, clientHeight, size, count);
      known = next;
      // A jump shows its rows in the same picture; a step ahead of the eye may come with the next.
      if (blank) flushSync(() => setPlace(next)); else setPlace(next);
    };
    const measure = () => {
      // The reader's own font size, or a narrow window, changes all rows alike.
      const row = frame.querySelector("li")?.firstElementChild;
      if (row instanceof HTMLElement && row.offsetHeight > 0) setSize(row.offsetHeight);
      setPlace((now) => { known = rowWindow(frame.scrollTop, frame.clientHeight, size, count); return known.first === now.first && known.end === now.end ? now : known; });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    frame.addEventListener("scroll", look, { passive: true });
    return () => { observer.disconnect(); frame.removeEventListener("scroll", look); };
  }, [size, count]);
  useEffect(() => { if (place.end >= count - 20) onEnd?.(); }, [place.end, count, onEnd]);
  // The row that has the focus stays, however far it was scrolled away: the next Tab goes on from there.
  const hold = ({ target }: FocusEvent) => setHeld(Number(target.closest("li")?.dataset.index ?? -1));
  const shown = indexes(place, held, count);
  return (
    <div className={css.frame} data-framed={framed || undefined} style={fill ? { minHeight: Math.min(count, 4) * size + 12 } : undefined}>
      <div ref={scroll} className={className ? `${css.scroll} ${className}` : css.scroll} tabIndex={label ? 0 : undefined} role={label ? "group" : undefined} aria-label={label}>
        <ul style={{ height: size * count }} onFocus={hold} onBlur={() => setHeld(null)}>
          {shown.map((index) => {
            const item = items[index] as T;
            return <Row key={keyOf(item)} item={item} index={index} size={size} count={count} draw={children as (item: unknown) => ReactNode} />;
          })}
        </ul>
      </div>
    </div>
  );
}

function indexes({ first, end }: { first: number; end: number }, held: number | null, count: number): number[] {
  const shown = Array.from({ length: Math.max(0, Math.min(end, count) - first) }, (_, at) => first + at);
  if (held === null || held < 0 || held >= count || (held >= first && held < end)) return shown;
  return held < first ? [held, ...shown] : [...shown, held];
}

interface RowProperties { item: unknown; index: number; size: number; count: number; draw: (item: unknown) => ReactNode }

const Row = memo(function Row({ item, index, size, count, draw }: RowProperties) {
  return <li data-index={index} data-last={index === count - 1 || undefined} style={{ height: size, transform: `translateY(${index * size}px)` }} aria-setsize={count} aria-posinset={index + 1}>{draw(item)}</li>;
});
