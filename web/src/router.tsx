/** Addresses of the page. The chat is in the first load, the other pages come when opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, useLocation, useParams } from "@tanstack/react-router";
import { Shell } from "~/components/shell/Shell";
import { LinkButton } from "~/components/common/links";
import { Page } from "~/components/common/Page";
import { useT } from "~/i18n";
import { ChatPage } from "~/pages/ChatPage";

const root = createRootRoute({
  component: function Root() { return <Shell path={useLocation().pathname} />; },
  notFoundComponent: function Missing() {
    const t = useT();
    return <Page title={t("app.notFound")} lead={t("app.notFoundHint")}><LinkButton to="/" variant="default">{t("app.home")}</LinkButton></Page>;
  },
});

// One page for both addresses: the list beside the chat keeps its place when another conversation is opened.
const chats = createRoute({
  getParentRoute: () => root, id: "chats",
  component: function Chats() {
    const { conversationId } = useParams({ strict: false });
    return <ChatPage conversationId={conversationId ?? null} />;
  },
});
const home = createRoute({ getParentRoute: () => chats, path: "/" });
const chat = createRoute({ getParentRoute: () => chats, path: "/chat/$conversationId" });
const knowledge = createRoute({ getParentRoute: () => root, path: "/knowledge", component: lazyRouteComponent(() => import("~/pages/KnowledgePage"), "KnowledgePage") });
const base = createRoute({ getParentRoute: () => root, path: "/knowledge/$kbId", component: lazyRouteComponent(() => import("~/pages/routes"), "BaseRoute") });
const document = createRoute({ getParentRoute: () => root, path: "/documents/$documentId", component: lazyRouteComponent(() => import("~/pages/routes"), "DocumentRoute") });
const search = createRoute({
  getParentRoute: () => root, path: "/search", validateSearch: (given: Record<string, unknown>) => ({ q: typeof given.q === "string" ? given.q : undefined }),
  component: lazyRouteComponent(() => import("~/pages/routes"), "SearchRoute"),
});
const runs = createRoute({ getParentRoute: () => root, path: "/runs", component: lazyRouteComponent(() => import("~/pages/RunsPage"), "RunsPage") });
const run = createRoute({ getParentRoute: () => root, path: "/runs/$runId", component: lazyRouteComponent(() => import("~/pages/routes"), "RunRoute") });
const settings = createRoute({ getParentRoute: () => root, path: "/settings", component: lazyRouteComponent(() => import("~/pages/SettingsPage"), "SettingsPage") });

export const router = createRouter({
  routeTree: root.addChildren([chats.addChildren([home, chat]), knowledge, base, document, search, runs, run, settings]), defaultPreload: "intent", scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register { router: typeof router }
}
