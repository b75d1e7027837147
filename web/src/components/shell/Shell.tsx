/** The frame: navigation at the side, or below on a phone, and the page. */
import { Button } from "@mantine/core";
import { type MouseEvent, Suspense, useEffect, useState } from "react";
import { Link, Outlet } from "@tanstack/react-router";
import { Activity, Library, MessageSquareText, Search, Settings } from "lucide-react";
import { late } from "~/components/common/late";
import { ApiError } from "~/api/http";
import { focusMessage } from "~/components/chat/message";
import { Notice } from "~/components/common/Notice";
import { Problem } from "~/components/common/Problem";
import { useMe } from "~/hooks/data";
import { useT } from "~/i18n";
import { rememberSignedIn, wasSignedIn } from "~/state/visitor";
import css from "./Shell.module.css";

const SignInPage = late(async () => (await import("~/pages/SignInPage")).SignInPage);

const places = [
  { to: "/", label: "nav.chat", icon: MessageSquareText, also: "/chat" },
  { to: "/knowledge", label: "nav.knowledge", icon: Library, also: "/documents" },
  { to: "/search", label: "nav.search", icon: Search, also: "/search" },
  { to: "/runs", label: "nav.runs", icon: Activity, also: "/runs" },
  { to: "/settings", label: "nav.settings", icon: Settings, also: "/settings" },
] as const;

/** Past the navigation and the list of conversations: to the message, or else to the column of the page. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  if (!focusMessage()) document.getElementById("content")?.focus();
}

export function Shell({ path }: { path: string }) {
  const t = useT();
  const me = useMe();
  const signedOut = me.error instanceof ApiError && me.error.status === 401;
  useEffect(() => { if (me.data || signedOut) rememberSignedIn(!signedOut); }, [me.data, signedOut]);
  const [expired, setExpired] = useState(() => new URLSearchParams(location.search).get("signin") === "expired");
  // Said once, not again at each reload.
  useEffect(() => { if (expired) history.replaceState(history.state, "", location.pathname); }, [expired]);
  if (signedOut) return <Suspense><SignInPage expired={expired} /></Suspense>;
  if (me.isError) return <main id="content" className={css.alone}><Problem error={me.error} retry={() => void me.refetch()} /></main>;
  // Who was signed in here last time most likely still is: the page stands there while the server is asked.
  if (!me.data && !wasSignedIn()) return <main id="content" className={css.alone} aria-busy="true" aria-label={t("app.loading")} />;
  return (
    <div className={css.shell}>
      <a href="#content" className={css.skip} onClick={skip}>{t("app.skip")}</a>
      <nav className={css.rail} aria-label={t("nav.label")}>
        <Link to="/" className={css.brand} aria-label={t("app.name")}><img src="/favicon.svg" alt="" width={30} height={30} /></Link>
        <ul>
          {places.map(({ to, label, icon: Icon, also }) => {
            const current = to === "/" ? path === "/" || path.startsWith(also) : path.startsWith(to) || path.startsWith(also);
            return (
              <li key={to}>
                <Link to={to} className={css.place} aria-current={current ? "page" : undefined}><Icon size={20} aria-hidden="true" /><span data-words={t(label)}>{t(label)}</span></Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <main id="content" className={css.content} tabIndex={-1}>
        {expired && <div className={css.notice}><Notice tone="info" live action={<Button size="compact-sm" variant="default" onClick={() => setExpired(false)}>{t("app.close")}</Button>}>{t("signin.expiredSignedIn")}</Notice></div>}
        <Suspense><Outlet /></Suspense></main>
    </div>
  );
}
