/** Escape closes what stands beside the page, wherever the focus is, unless something nearer to the focus takes it. */
import { useEffect, useRef } from "react";

/** What Escape closes first: menus, lists, dialogs and cards that a button has opened. */
const nearer = '[role="menu"], [role="listbox"], [role="dialog"], [aria-haspopup][aria-expanded="true"]';
/** A field of these empties itself. */
const emptied = 'input[type="search"]';

export function useEscape(close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    let taken = false;
    // Looked at before anybody closes anything, acted on when nobody took the key.
    const look = ({ key, target }: KeyboardEvent) => {
      if (key !== "Escape") return;
      const field = target instanceof HTMLInputElement && target.matches(emptied) && target.value !== "";
      taken = field || [...document.querySelectorAll<HTMLElement>(nearer)].some((element) => element.checkVisibility?.() ?? true);
    };
    const act = (event: KeyboardEvent) => { if (event.key === "Escape" && !taken && !event.defaultPrevented && !event.isComposing) latest.current(); };
    window.addEventListener("keydown", look, true);
    window.addEventListener("keydown", act);
    return () => { window.removeEventListener("keydown", look, true); window.removeEventListener("keydown", act); };
  }, []);
}
