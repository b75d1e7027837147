/** Addresses of the page. The chat is in the first load, the other pages come when opened. */
import { createRootRoute, createRoute, createRouter, useLocation, useParams } from "@tanstack/react-router";
import { Shell } from "~/components/shell/Shell";
import { late } from "~/components/common/late";
import { LinkButton } from "~/components/common/links";
import { Page } from "~/components/common/Page";
import { useT } from "~/i18n";
import { ChatPage } from "~/pages/ChatPage";
import { readAddress } from "~/state/searchAddress";

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
const knowledge = createRoute({ getParentRoute: () => root, path: "/knowledge", component: late(async () => (await import("~/pages/KnowledgePage")).KnowledgePage) });
const base = createRoute({ getParentRoute: () => root, path: "/knowledge/$kbId", component: late(async () => (await import("~/pages/routes")).BaseRoute) });
const document = createRoute({ getParentRoute: () => root, path: "/documents/$documentId", component: late(async () => (await import("~/pages/routes")).DocumentRoute) });
const search = createRoute({
  getParentRoute: () => root, path: "/search", validateSearch: readAddress,
  component: late(async () => (await import("~/pages/routes")).SearchRoute),
});
const runs = createRoute({ getParentRoute: () => root, path: "/runs", component: late(async () => (await import("~/pages/RunsPage")).RunsPage) });
const run = createRoute({ getParentRoute: () => root, path: "/runs/$runId", component: late(async () => (await import("~/pages/routes")).RunRoute) });
const settings = createRoute({ getParentRoute: () => root, path: "/settings", component: late(async () => (await import("~/pages/SettingsPage")).SettingsPage) });

export const router = createRouter({
  routeTree: root.addChildren([chats.addChildren([home, chat]), knowledge, base, document, search, runs, run, settings]), defaultPreload: "intent", scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register { router: typeof router }
}
