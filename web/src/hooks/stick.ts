/** Keeps a scrolling element at its end while it grows, until the reader scrolls away. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const near = 60;

export function useStick(turns: number) {
  const element = useRef<HTMLDivElement | null>(null);
  const following = useRef(true);
  const [away, setAway] = useState(false);
  const observer = useRef<ResizeObserver | null>(null);

  const toEnd = () => { if (element.current) element.current.scrollTop = element.current.scrollHeight; };
  const ref = useCallback((node: HTMLDivElement | null) => {
    observer.current?.disconnect();
    element.current = node;
    if (!node?.firstElementChild) return;
    observer.current = new ResizeObserver(() => { if (following.current) toEnd(); });
    observer.current.observe(node.firstElementChild);
    observer.current.observe(node);
  }, []);
  useEffect(() => () => observer.current?.disconnect(), []);
  useLayoutEffect(() => {
    // Without a turn there is no newest text: the page is read from its top.
    following.current = turns > 0;
    setAway(false);
    if (turns > 0) toEnd();
  }, [turns]);

  const last = useRef(0);
  const onScroll = () => {
    const node = element.current;
    if (!node) return;
    const distance = node.scrollHeight - node.scrollTop - node.clientHeight;
    // Growth also makes the distance larger: only a movement upwards is the reader's.
    if (node.scrollTop < last.current - 2 && distance > near) following.current = false;
    else if (distance <= near && turns > 0) following.current = true;
    last.current = node.scrollTop;
    setAway(!following.current && distance > near);
  };
  const go = () => {
    following.current = true;
    element.current?.scrollTo({ top: element.current.scrollHeight, behavior: "smooth" });
    setAway(false);
  };
  return { ref, onScroll, away, go };
}
