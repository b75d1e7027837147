/** Whether a text does not fit its place and is cut there. */
import { type RefObject, useEffect, useState } from "react";

export function useCut(element: RefObject<HTMLElement | null>, text: string | null): boolean {
  const [cut, setCut] = useState(false);
  useEffect(() => {
    const node = element.current;
    if (!node || text === null) return;
    const look = () => setCut(node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1);
    if (!("ResizeObserver" in globalThis)) return;
    const observer = new ResizeObserver(look);
    observer.observe(node);
    return () => observer.disconnect();
  }, [element, text]);
  return cut;
}
