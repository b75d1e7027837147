/** The conversations, searchable; only the rows in view are drawn. */
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Search, SquarePen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Problem } from "~/components/common/Problem";
import { useConversations } from "~/hooks/data";
import { useT } from "~/i18n";
import css from "./ConversationList.module.css";

export function ConversationList({ current, onPick }: { current: string | null; onPick?: () => void }) {
  const t = useT();
  const [words, setWords] = useState("");
  const [q] = useDebouncedValue(words, 200);
  const list = useConversations(q);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: items.length, getScrollElement: () => scroll.current, estimateSize: () => 40, overscan: 12 });
  const visible = rows.getVirtualItems();
  const end = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (end >= items.length - 10 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  }, [end, items.length, list]);
  return (
    <nav className={css.panel} aria-label={t("chat.conversations")}>
      <Link to="/" className={css.new} onClick={onPick}><SquarePen size={17} aria-hidden="true" />{t("chat.new")}</Link>
      <TextInput
        type="search" size="sm" leftSection={<Search size={15} />} placeholder={t("chat.search")} aria-label={t("chat.search")} value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {list.isError && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && !items.length && <p className={css.none}>{t(q ? "chat.noneFound" : "chat.none")}</p>}
      <div ref={scroll} className={css.scroll}>
        <ul style={{ height: rows.getTotalSize() }}>
          {visible.map((row) => {
            const item = items[row.index];
            if (!item) return null;
            return (
              <li key={item.id} style={{ transform: `translateY(${row.start}px)` }}>
                <Link to="/chat/$conversationId" params={{ conversationId: item.id }} className={css.item} aria-current={item.id === current ? "page" : undefined} onClick={onPick} dir="auto">
                  {item.title || t("chat.untitled")}
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
    </nav>
  );
}
