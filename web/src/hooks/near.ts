/** Whether an element has come near the visible part of what scrolls around it; once true, it stays so. */
import { type RefObject, useEffect, useState } from "react";

export function useNear(element: RefObject<HTMLElement | null>, margin = 1500): boolean {
  const [near, setNear] = useState(() => !("IntersectionObserver" in globalThis));
  useEffect(() => {
    const node = element.current;
    if (near || !node) return;
    const observer = new IntersectionObserver(([entry]) => { if (entry?.isIntersecting) setNear(true); }, { root: node.closest("[data-scrolls]"), rootMargin: `${margin}px 0px` });
    observer.observe(node);
    return () => observer.disconnect();
  }, [near, margin]);
  return near;
}
