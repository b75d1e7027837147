/** The conversations, searchable; only the rows in view are drawn. */
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { Search, SquarePen } from "lucide-react";
import { memo, useState } from "react";
import type { Conversation } from "~/api/types";
import { AppLink } from "~/components/common/AppLink";
import { LongRows } from "~/components/common/LongRows";
import { Problem } from "~/components/common/Problem";
import { useConversations } from "~/hooks/lists";
import { useT } from "~/i18n";
import css from "./ConversationList.module.css";

export function ConversationList({ current, onPick }: { current: string | null; onPick?: () => void }) {
  const t = useT();
  const [words, setWords] = useState("");
  const [q] = useDebouncedValue(words, 200);
  const list = useConversations(q);
  return (
    <nav className={css.panel} aria-label={t("chat.conversations")}>
      <Link to="/" className={css.new} onClick={onPick}><SquarePen size={17} aria-hidden="true" />{t("chat.new")}</Link>
      <TextInput
        type="search" size="sm" leftSection={<Search size={15} />} placeholder={t("chat.search")} aria-label={t("chat.search")} value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {list.error !== null && <Problem error={list.error} retry={list.again} />}
      {list.ready && !list.items.length && <p className={css.none}>{t(q ? "chat.noneFound" : "chat.none")}</p>}
      <LongRows items={list.items} height={40} keyOf={(item) => item.id} framed={false} className={css.scroll} onEnd={list.more}>
        {(item) => <Row conversation={item} current={item.id === current} onPick={onPick} />}
      </LongRows>
    </nav>
  );
}

const Row = memo(function Row({ conversation, current, onPick }: { conversation: Conversation; current: boolean; onPick?: () => void }) {
  const t = useT();
  return (
    <div className={css.row}>
      <AppLink to={`/chat/${conversation.id}`} className={css.item} aria-current={current ? "page" : undefined} onPick={onPick} dir="auto">
        {conversation.title || t("chat.untitled")}
      </AppLink>
    </div>
  );
});
