/** What is open beside a page, as an entry of the browser's history: Back closes it and stays on the page. */
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";

const mark = "source";

/** `[what is open, open, close]`; nothing is open after a reload, or when the address changes. */
export function useOpened<T>(): [T | null, (what: T) => void, () => void] {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<T | null>(null);
  const inHistory = useLocation({ select: (location) => location.hash === mark });
  useEffect(() => { if (!inHistory) setOpened(null); }, [inHistory]);
  const open = useCallback((what: T) => {
    setOpened(what);
    void navigate({ to: ".", search: true, hash: mark, replace: globalThis.location.hash === `#${mark}` });
  }, [navigate]);
  const close = useCallback(() => { if (globalThis.location.hash === `#${mark}`) globalThis.history.back(); else setOpened(null); }, []);
  return [opened, open, close];
}
