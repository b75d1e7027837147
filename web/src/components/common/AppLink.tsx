/** A link to a page of the app for the rows of long lists: a plain anchor, which costs a fraction of the router's own link. */
import { useRouter } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, MouseEvent } from "react";

interface Properties extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "onClick"> { to: string; onPick?: () => void }

export function AppLink({ to, onPick, ...rest }: Properties) {
  const router = useRouter();
  const go = (event: MouseEvent) => {
    // Another key or button asks the browser for a new tab, a window or a download.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(to);
    onPick?.();
  };
  return <a {...rest} href={to} onClick={go} />;
}
