/** Addresses of the page. The chat is in the first load, the other pages come when opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, useLocation } from "@tanstack/react-router";
import { Shell } from "~/components/shell/Shell";
import { Page } from "~/components/common/Page";
import { useT } from "~/i18n";
import { ChatPage } from "~/pages/ChatPage";

const root = createRootRoute({
  component: function Root() { return <Shell path={useLocation().pathname} />; },
  notFoundComponent: function Missing() {
    const t = useT();
    return <Page title={t("app.notFound")} lead={t("app.notFoundHint")}>{null}</Page>;
  },
});

const home = createRoute({ getParentRoute: () => root, path: "/", component: () => <ChatPage key="new" conversationId={null} /> });
const chat = createRoute({
  getParentRoute: () => root, path: "/chat/$conversationId",
  component: function Chat() {
    const { conversationId } = chat.useParams();
    return <ChatPage key={conversationId} conversationId={conversationId} />;
  },
});
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
  routeTree: root.addChildren([home, chat, knowledge, base, document, search, runs, run, settings]), defaultPreload: "intent", scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register { router: typeof router }
}
