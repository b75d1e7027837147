/** What may be wider than its frame scrolls sideways in it; a shade at an edge says that there is more on that side, and is gone when there is none. */
import { type ReactNode, useEffect, useRef } from "react";
import css from "./SideScroll.module.css";

/** `className`: the look of the frame, which stands still around what moves. */
export function SideScroll({ className, children }: { className?: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const still = frame.current;
    const moved = still?.firstElementChild;
    if (!still || !moved || !("ResizeObserver" in globalThis)) return;
    const look = () => {
      still.toggleAttribute("data-before", moved.scrollLeft > 1);
      still.toggleAttribute("data-after", moved.scrollWidth - moved.clientWidth - moved.scrollLeft > 1);
    };
    const observer = new ResizeObserver(look);
    observer.observe(moved);
    if (moved.firstElementChild) observer.observe(moved.firstElementChild);
    moved.addEventListener("scroll", look, { passive: true });
    return () => { observer.disconnect(); moved.removeEventListener("scroll", look); };
  }, []);
  return (
    <div ref={frame} className={className ? `${css.frame} ${className}` : css.frame}>
      <div tabIndex={0} role="group" className={css.scroll}>{children}</div>
      <span className={css.shade} data-side="before" /><span className={css.shade} data-side="after" />
    </div>
  );
}
