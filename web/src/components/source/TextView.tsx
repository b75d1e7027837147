/** A document's extracted text: read in windows around the passage, with headings and tables. The sentences that are meant are marked, the passage around them only hinted at. */
import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { api } from "~/api/client";
import { useStructure } from "~/hooks/data";
import { Problem } from "~/components/common/Problem";
import { useT } from "~/i18n";
import { countCharacters } from "~/state/liveText";
import { withSheetNames } from "~/state/sheets";
import { noMarks, textBlocks } from "~/state/textLines";
import { Blocks } from "./Blocks";
import type { PassageRef } from "./DocumentView";
import css from "./TextView.module.css";

const none: never[] = [];
const windowLength = 12_000;

interface Properties { documentId: string; passage: PassageRef | null; records?: boolean }

export function TextView({ documentId, passage, records = false }: Properties) {
  const t = useT();
  const first = passage ? Math.max(0, passage.start - 3000) : 0;
  const content = useInfiniteQuery({
    queryKey: ["content", documentId, first],
    queryFn: ({ pageParam }) => api.content(documentId, pageParam.offset, pageParam.length),
    initialPageParam: { offset: first, length: windowLength },
    getNextPageParam: (page) => (page.next_offset === null ? undefined : { offset: page.next_offset, length: windowLength }),
    getPreviousPageParam: (page) => {
      if (page.offset <= 0) return undefined;
      const offset = Math.max(0, page.offset - windowLength);
      return { offset, length: page.offset - offset };
    },
  });
  const pages = content.data?.pages;
  const structure = useStructure(documentId, records);
  const sheets = structure.data?.tables ?? none;
  const blocks = useMemo(() => {
    const text = pages?.map((page) => page.text).join("") ?? "";
    const offset = pages?.[0]?.offset ?? 0;
    // A window that begins inside a row would show the rest of it under the wrong columns.
    const cut = records && offset > 0 ? text.indexOf("\n") + 1 : 0;
    const marks = passage ? { passage, quotes: passage.quotes.length ? passage.quotes : [passage] } : noMarks;
    const found = textBlocks(text.slice(cut), offset + countCharacters(text.slice(0, cut)), marks, records);
    return sheets.length ? withSheetNames(found, sheets, offset === 0) : found;
  }, [pages, passage, records, sheets]);
  const root = useRef<HTMLDivElement>(null);
  const ready = blocks.length > 0;
  useEffect(() => {
    const element = root.current;
    if (!ready || !passage || !element) return;
    const show = () => element.querySelector("mark, [data-marked]")?.scrollIntoView({ block: "center" });
    // Once, and again while the panel is still finding its size.
    const observer = new ResizeObserver(show);
    observer.observe(element);
    const settled = setTimeout(() => observer.disconnect(), 600);
    show();
    return () => { clearTimeout(settled); observer.disconnect(); };
  }, [ready, passage?.start]);
  if (content.isError) return <div className={css.text}><Problem error={content.error} retry={() => void content.refetch()} /></div>;
  if (!content.data) return <div className={css.text}><Skeleton height={13} /><Skeleton height={13} mt={10} width="90%" /><Skeleton height={13} mt={10} width="70%" /></div>;
  return (
    <div ref={root} className={css.text} data-soft={passage !== null && !passage.quotes.length || undefined} tabIndex={0} role="region" aria-label={t("source.text")}>
      {content.hasPreviousPage && <Button variant="default" size="xs" onClick={() => void content.fetchPreviousPage()}>{t("doc.moreText")}</Button>}
      <Blocks blocks={blocks} />
      {content.hasNextPage && <Button variant="default" size="xs" loading={content.isFetchingNextPage} onClick={() => void content.fetchNextPage()}>{t("doc.moreText")}</Button>}
    </div>
  );
}
