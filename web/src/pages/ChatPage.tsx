/** The chat: conversations at the side, the turns of one of them, the composer, and the source beside the answer. */
import { Drawer } from "@mantine/core";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { ArrowDown, Menu as MenuIcon, MessageSquareOff, PanelLeftClose } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { api } from "~/api/client";
import { ApiError } from "~/api/http";
import type { Message, Source } from "~/api/types";
import { ChatHeaderMenu } from "~/components/chat/ChatHeaderMenu";
import { ChatWelcome } from "~/components/chat/ChatWelcome";
import { ConversationList } from "~/components/chat/ConversationList";
import { AskBox } from "~/components/chat/AskBox";
import { DropTarget } from "~/components/chat/DropTarget";
import { type TurnActions, TurnView } from "~/components/chat/TurnView";
import { Empty } from "~/components/common/Empty";
import { IconButton } from "~/components/common/IconButton";
import { LinkButton } from "~/components/common/links";
import { preloadMarkdown } from "~/components/markdown/Markdown";
import { Problem } from "~/components/common/Problem";
import { useConversation, useMessages } from "~/hooks/data";
import { useAsk } from "~/hooks/ask";
import { queryClient, useSent } from "~/hooks/live";
import { useStick } from "~/hooks/stick";
import { useT } from "~/i18n";
import { type Turn, turnsOf } from "~/state/turns";
import css from "./ChatPage.module.css";

const SourcePanel = lazy(async () => ({ default: (await import("~/components/source/SourcePanel")).SourcePanel }));

interface Opened { sources: Source[]; text: string; current: Source | null }
const none: Message[] = [];

export function ChatPage({ conversationId }: { conversationId: string | null }) {
  const t = useT();
  const [drawer, setDrawer] = useState(false);
  const [listShown, setListShown] = useState(true);
  const lists = (
    <>
      <span className={css.phone}><IconButton label={t("chat.open")} onClick={() => setDrawer(true)}><MenuIcon size={19} /></IconButton></span>
      <span className={css.wide}><IconButton label={t(listShown ? "chat.hide" : "chat.open")} expanded={listShown} onClick={() => setListShown(!listShown)}><PanelLeftClose size={18} /></IconButton></span>
    </>
  );
  return (
    <div className={css.chat}>
      {listShown && <div className={css.list}><ConversationList current={conversationId} /></div>}
      <Drawer opened={drawer} onClose={() => setDrawer(false)} size={300} padding={0} withCloseButton={false} lockScroll={false} title={t("chat.conversations")} classNames={{ header: css.hidden, body: css.drawer }}>
        <ConversationList current={conversationId} onPick={() => setDrawer(false)} />
      </Drawer>
      <Chat key={conversationId ?? "new"} conversationId={conversationId} lists={lists} />
    </div>
  );
}

function Chat({ conversationId, lists }: { conversationId: string | null; lists: ReactNode }) {
  const t = useT();
  const navigate = useNavigate();
  const messages = useMessages(conversationId);
  const fresh = useSent(conversationId);
  const turns = useMemo(() => turnsOf(messages.data ?? none, fresh), [messages.data, fresh]);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [editing, setEditing] = useState<Turn | null>(null);
  const ask = useAsk(conversationId);
  const missing = messages.error instanceof ApiError && messages.error.status === 404;
  const stick = useStick(turns.length);
  const title = useTitle(conversationId, turns, missing);

  useEffect(() => whenIdle(() => { preloadMarkdown(); void import("~/components/source/SourcePanel"); }), []);

  // An open source is an entry of the browser's history: Back closes it and stays in the conversation.
  const inHistory = useLocation({ select: (location) => location.hash === "source" });
  useEffect(() => { if (!inHistory) setOpened(null); }, [inHistory]);
  const open = useCallback((_: Turn, source: Source | null, all: Source[], text: string) => {
    setOpened({ sources: all, text, current: source });
    void navigate({ to: ".", hash: "source", replace: globalThis.location.hash === "#source" });
  }, [navigate]);
  const close = useCallback(() => { if (globalThis.location.hash === "#source") globalThis.history.back(); else setOpened(null); }, []);
  const actions = useMemo((): TurnActions => ({
    open,
    regenerate: (turn) => void ask.send(turn.question.text, { replaces: turn.question.id }),
    edit: setEditing,
    branch: (turn) => void branch(conversationId ?? "", turns[turns.findIndex((item) => item.key === turn.key) + 1]?.question.id, t("chat.branchTitle", { title })).then((copy) => {
      void queryClient.invalidateQueries({ queryKey: ["conversations"] });
      return navigate({ to: "/chat/$conversationId", params: { conversationId: copy.id } });
    }),
    rate: (messageId, rating) => void api.feedback(messageId, rating).then(() => queryClient.invalidateQueries({ queryKey: ["messages", conversationId] })),
  }), [ask.send, conversationId, navigate, open, turns, title, t]);

  return (
    <>
      <DropTarget>
        <section className={css.main}>
          <header className={css.header}>
            {lists}
            <h1 dir="auto">{title}</h1>
            {conversationId && !missing && <ChatHeaderMenu conversationId={conversationId} title={title} />}
          </header>
          <div ref={stick.ref} className={css.scroll} data-scrolls onScroll={stick.onScroll} tabIndex={-1}>
            <div className={css.column}>
              {missing && <Empty icon={<MessageSquareOff size={22} />} title={t("app.notFound")} actions={<LinkButton to="/" variant="default">{t("chat.new")}</LinkButton>}>{t("app.notFoundHint")}</Empty>}
              {messages.isError && !missing && <Problem error={messages.error} retry={() => void messages.refetch()} />}
              {!conversationId && turns.length === 0 && <ChatWelcome onAsk={(text) => void ask.send(text)} />}
              {turns.map((turn, index) => <TurnView key={turn.key} turn={turn} last={index === turns.length - 1} actions={actions} />)}
            </div>
          </div>
          {stick.away && <button type="button" className={css.latest} onClick={stick.go} aria-label={t("chat.latest")} title={t("chat.latest")}><ArrowDown size={18} /></button>}
          {!missing && (
            <div className={css.composer}>
              <AskBox conversationId={conversationId} ask={ask} turns={turns} editing={editing} onEdited={() => setEditing(null)} />
            </div>
          )}
        </section>
      </DropTarget>
      {opened && (
        <div className={css.source}>
          <Suspense><SourcePanel sources={opened.sources} text={opened.text} current={opened.current} onOpen={(current) => setOpened({ ...opened, current })} onClose={close} /></Suspense>
        </div>
      )}
    </>
  );
}

/** Does `work` when the first picture stands and nothing else waits. */
function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(work, 400);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(work, { timeout: 2000 });
  return () => cancelIdleCallback(waiting);
}

/** A copy up to the question `before`, or of all, under a name of its own. */
async function branch(conversationId: string, before: string | undefined, title: string) {
  const copy = await api.branchConversation(conversationId, before);
  return api.renameConversation(copy.id, title);
}

function useTitle(conversationId: string | null, turns: Turn[], missing: boolean): string {
  const t = useT();
  const first = turns[0]?.question.text ?? "";
  const conversation = useConversation(missing ? null : conversationId);
  const title = missing ? t("app.notFound") : conversationId ? conversation.data?.title || first.slice(0, 80) || (conversation.isPending ? "" : t("chat.untitled")) : t("chat.new");
  useEffect(() => { document.title = title ? `${title} · Famulus` : "Famulus"; }, [title]);
  return title;
}
