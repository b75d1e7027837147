/** A document's extracted text: read in windows around the passage, with headings and tables, the passage highlighted. */
import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { api } from "~/api/client";
import { Problem } from "~/components/common/Problem";
import { useT } from "~/i18n";
import { type Piece, type TextBlock, textBlocks } from "~/state/textLines";
import type { PassageRef } from "./DocumentView";
import css from "./TextView.module.css";

const windowLength = 12_000;

export function TextView({ documentId, passage, from }: { documentId: string; passage: PassageRef | null; from?: number }) {
  const t = useT();
  const first = from ?? (passage ? Math.max(0, passage.start - 3000) : 0);
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
  const blocks = useMemo(() => {
    const text = pages?.map((page) => page.text).join("") ?? "";
    return textBlocks(text, pages?.[0]?.offset ?? 0, passage?.start ?? 0, passage?.end ?? 0);
  }, [pages, passage?.start, passage?.end]);
  const root = useRef<HTMLDivElement>(null);
  const ready = blocks.length > 0;
  useEffect(() => {
    if (ready && passage) root.current?.querySelector("mark, [data-marked]")?.scrollIntoView({ block: "center" });
  }, [ready, passage?.start]);
  if (content.isError) return <div className={css.text}><Problem error={content.error} retry={() => void content.refetch()} /></div>;
  if (!content.data) return <div className={css.text}><Skeleton height={13} /><Skeleton height={13} mt={10} width="90%" /><Skeleton height={13} mt={10} width="70%" /></div>;
  return (
    <div ref={root} className={css.text} tabIndex={0} role="region" aria-label={t("source.text")}>
      {content.hasPreviousPage && <Button variant="default" size="xs" onClick={() => void content.fetchPreviousPage()}>{t("doc.moreText")}</Button>}
      {blocks.map((block) => <Block key={block.start} block={block} />)}
      {content.hasNextPage && <Button variant="default" size="xs" loading={content.isFetchingNextPage} onClick={() => void content.fetchNextPage()}>{t("doc.moreText")}</Button>}
    </div>
  );
}

const Pieces = ({ pieces }: { pieces: Piece[] }) => pieces.map((piece, index) => (piece.marked ? <mark key={index}>{piece.text}</mark> : piece.text));

function Block({ block }: { block: TextBlock }) {
  if (block.kind === "heading") {
    const Heading = block.level <= 1 ? "h3" : "h4";
    return <Heading dir="auto"><Pieces pieces={block.pieces} /></Heading>;
  }
  if (block.kind === "paragraph") return <p dir="auto"><Pieces pieces={block.pieces} /></p>;
  return (
    <div className={css.scroll} tabIndex={0} role="group">
      <table>
        <tbody>
          {block.rows.map((row, index) => (
            <tr key={index} data-marked={row.marked || undefined}>
              {row.cells.map((cell, column) => row.head
                ? <th key={column} scope="col" dir="auto"><Pieces pieces={cell} /></th>
                : <td key={column} dir="auto"><Pieces pieces={cell} /></td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
