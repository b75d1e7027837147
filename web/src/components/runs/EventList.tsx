/** The events behind a run, as the log holds them. */
import { UnstyledButton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import type { RunEvent } from "~/api/types";
import { useT } from "~/i18n";
import css from "./EventList.module.css";

export function EventList({ events }: { events: RunEvent[] }) {
  const t = useT();
  const scroll = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const rows = useVirtualizer({ count: events.length, getScrollElement: () => scroll.current, estimateSize: () => 38, overscan: 12 });
  return (
    <div ref={scroll} className={css.scroll} tabIndex={0} role="group" aria-label={t("runs.eventsTitle")}>
      <ol style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const event = events[row.index];
          if (!event) return null;
          const open = opened === event.seq;
          return (
            <li key={event.seq} ref={rows.measureElement} data-index={row.index} style={{ transform: `translateY(${row.start}px)` }}>
              <UnstyledButton className={css.row} aria-expanded={open} onClick={() => setOpened(open ? null : event.seq)}>
                <span className={css.seq}>{event.seq}</span><span className={css.type}>{event.type}</span><span className={css.time}>{t.time(event.time)}</span>
              </UnstyledButton>
              {open && <pre className={css.data} tabIndex={0} dir="ltr">{JSON.stringify(event.data, null, 2)}</pre>}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
