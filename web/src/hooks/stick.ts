/** Keeps a scrolling element at its end while it grows, until the reader scrolls away. */
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const near = 60;
/** So long what was opened may still grow, in milliseconds. */
const settles = 600;

export function useStick(turns: number) {
  const element = useRef<HTMLDivElement | null>(null);
  const following = useRef(true);
  const [away, setAway] = useState(false);
  const opened = useRef(-settles);
  const observer = useRef<ResizeObserver | null>(null);

  const toEnd = () => { if (element.current) element.current.scrollTop = element.current.scrollHeight; };
  const ref = useCallback((node: HTMLDivElement | null) => {
    observer.current?.disconnect();
    element.current = node;
    if (!node?.firstElementChild) return;
    observer.current = new ResizeObserver(() => {
      // What the reader has just opened stays where it is.
      if (performance.now() - opened.current < settles) {
        const distance = node.scrollHeight - node.scrollTop - node.clientHeight;
        following.current = distance <= near;
        setAway(!following.current);
      } else if (following.current) toEnd();
    });
    observer.current.observe(node.firstElementChild);
    observer.current.observe(node);
  }, []);
  useEffect(() => () => observer.current?.disconnect(), []);
  useLayoutEffect(() => {
    // Without a turn there is no newest text: the page is read from its top.
    following.current = turns > 0;
    setAway(false);
    if (turns === 0) return;
    const frame = requestAnimationFrame(toEnd);
    return () => cancelAnimationFrame(frame);
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
  const onClick = ({ target }: MouseEvent) => { if (target instanceof Element && target.closest("[aria-expanded], summary")) opened.current = performance.now(); };
  const go = () => {
    opened.current = -settles;
    following.current = true;
    element.current?.scrollTo({ top: element.current.scrollHeight, behavior: "smooth" });
    setAway(false);
  };
  return { ref, onScroll, onClick, away, go };
}
