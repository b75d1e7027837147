/** A panel that fills a narrow window covers what is behind it: that is out of reach too while the panel is there, for the keyboard and for what reads aloud. */
import { type RefObject, useEffect } from "react";

/** Where the panels' styles let them fill the window. */
const narrow = "(max-width: 900px)";

export function useCovering(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const fills = matchMedia(narrow);
    let set: HTMLElement[] = [];
    const free = () => { for (const element of set) element.inert = false; set = []; };
    const look = () => {
      free();
      if (fills.matches && panel.current) set = around(panel.current).filter((element) => !element.inert);
      for (const element of set) element.inert = true;
    };
    look();
    fills.addEventListener("change", look);
    return () => { fills.removeEventListener("change", look); free(); };
  }, [panel]);
}

/** All that is beside an element and beside what holds it. */
function around(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let inner: HTMLElement = element; inner.parentElement && inner.id !== "root"; inner = inner.parentElement) {
    for (const other of inner.parentElement.children) if (other !== inner && other instanceof HTMLElement) found.push(other);
  }
  return found;
}
