/** The chat: conversations at the side, the turns of one of them, the composer, and the source beside the answer. */
import { Drawer } from "@mantine/core";
import { ArrowDown, Menu as MenuIcon, MessageSquareOff, PanelLeftClose } from "lucide-react";
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { late } from "~/components/common/late";
import { ApiError } from "~/api/http";
import type { Message, Source } from "~/api/types";
import { ChatHeaderMenu } from "~/components/chat/ChatHeaderMenu";
import { ChatWelcome } from "~/components/chat/ChatWelcome";
import { ConversationList } from "~/components/chat/ConversationList";
import { AskBox } from "~/components/chat/AskBox";
import { focusMessage } from "~/components/chat/message";
import { DropTarget } from "~/components/chat/DropTarget";
import { TurnView } from "~/components/chat/TurnView";
import { Empty } from "~/components/common/Empty";
import { IconButton } from "~/components/common/IconButton";
import { LinkButton } from "~/components/common/links";
import { preloadMarkdown } from "~/components/markdown/Markdown";
import { Problem } from "~/components/common/Problem";
import { useConversation, useMessages } from "~/hooks/data";
import { useAsk } from "~/hooks/ask";
import { useSent } from "~/hooks/live";
import { useOpened } from "~/hooks/opened";
import { useStick } from "~/hooks/stick";
import { useTurnActions } from "~/hooks/turnActions";
import { useT } from "~/i18n";
import { standsOnSentences } from "~/state/modelNote";
import { keptTurns, type Sent, type Turn, turnsOf } from "~/state/turns";
import css from "./ChatPage.module.css";

const SourcePanel = late(async () => (await import("~/components/source/SourcePanel")).SourcePanel);

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
  const messages = useMessages(conversationId);
  const fresh = useSent(conversationId);
  const turns = useTurns(messages.data ?? none, fresh);
  const [opened, show, close] = useOpened<Opened>();
  const [editing, setEditing] = useState<Turn | null>(null);
  const ask = useAsk(conversationId);
  const missing = messages.error instanceof ApiError && messages.error.status === 404;
  const stick = useStick(turns.length);
  const title = useTitle(conversationId, turns, missing);

  useEffect(() => whenIdle(() => { void preloadMarkdown(); void SourcePanel.preload(); }), []);

  const open = useCallback((source: Source | null, all: Source[], text: string) => show({ sources: all, text, current: source }), [show]);
  const told = useMemo(() => turns.findIndex((turn) => standsOnSentences(turn.answer?.text ?? "")), [turns]);
  // When the text stands in the field, and also when it stood there already.
  const edit = useCallback((turn: Turn) => { setEditing(turn); requestAnimationFrame(focusMessage); }, []);
  const actions = useTurnActions({ id: conversationId, title, turns, ask }, open, edit);

  return (
    <>
      <DropTarget>
        <section className={css.main}>
          <header className={css.header}>
            {lists}
            <h1 dir="auto">{title}</h1>
            {conversationId && !missing && <ChatHeaderMenu conversationId={conversationId} title={title} />}
          </header>
          <div ref={stick.ref} className={css.scroll} data-scrolls onScroll={stick.onScroll} onClick={stick.onClick} tabIndex={-1}>
            <div className={css.column}>
              {missing && <Empty icon={<MessageSquareOff size={22} />} title={t("app.notFound")} actions={<LinkButton to="/" variant="default">{t("chat.new")}</LinkButton>}>{t("app.notFoundHint")}</Empty>}
              {messages.isError && !missing && <Problem error={messages.error} retry={() => void messages.refetch()} />}
              {!conversationId && turns.length === 0 && <ChatWelcome onAsk={(text) => void ask.send(text)} />}
              {turns.map((turn, index) => <TurnView key={turn.key} turn={turn} actions={actions} told={told >= 0 && index > told} />)}
            </div>
          </div>
          {!missing && (
            <div className={css.composer}>
              {stick.away && <button type="button" className={css.latest} onClick={stick.go} aria-label={t("chat.latest")} title={t("chat.latest")}><ArrowDown size={18} /></button>}
              <AskBox conversationId={conversationId} ask={ask} turns={turns} editing={editing} onEdited={() => setEditing(null)} />
            </div>
          )}
        </section>
      </DropTarget>
      {opened && (
        <div className={css.source}>
          <Suspense><SourcePanel sources={opened.sources} text={opened.text} current={opened.current} onOpen={(current) => show({ ...opened, current })} onClose={close} /></Suspense>
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

function useTurns(messages: Message[], fresh: Sent[]): Turn[] {
  const before = useRef<Turn[]>([]);
  return useMemo(() => { before.current = keptTurns(before.current, turnsOf(messages, fresh)); return before.current; }, [messages, fresh]);
}

function useTitle(conversationId: string | null, turns: Turn[], missing: boolean): string {
  const t = useT();
  const first = turns[0]?.question.text ?? "";
  const conversation = useConversation(missing ? null : conversationId);
  const kept = conversation.data?.title ?? "";
  // A title that is no more than the cut beginning of the question: the whole of it, cut where the room ends.
  const named = kept.endsWith("…") && first.startsWith(kept.slice(0, -1)) ? first : kept;
  const title = missing ? t("app.notFound") : conversationId ? named || first || (conversation.isPending ? "" : t("chat.untitled")) : t("chat.new");
  useEffect(() => { document.title = title ? `${title} · Famulus` : "Famulus"; }, [title]);
  return title;
}
