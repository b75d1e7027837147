/** The events behind a run, as the log holds them. */
import { UnstyledButton } from "@mantine/core";
import { useMemo, useState } from "react";
import type { RunEvent } from "~/api/types";
import { UnevenRows } from "~/components/common/UnevenRows";
import { useT } from "~/i18n";
import { showControls } from "~/state/controls";
import { eventWords } from "~/state/eventWords";
import css from "./EventList.module.css";

export function EventList({ events }: { events: RunEvent[] }) {
  const t = useT();
  const [opened, setOpened] = useState<number | null>(null);
  const words = useMemo(() => new Map(eventWords(events).map((line, index) => [events[index]?.seq, line])), [events]);
  return (
    <UnevenRows items={events} height={38} keyOf={(event) => event.seq} label={t("runs.eventsTitle")} className={css.scroll}>
      {(event) => {
        const open = opened === event.seq;
        return (
          <>
            <UnstyledButton className={css.row} aria-expanded={open} onClick={() => setOpened(open ? null : event.seq)}>
              <span className={css.seq}>{event.seq}</span><span className={css.type}>{event.type}</span><span className={css.words} dir="auto">{showControls(words.get(event.seq) ?? "")}</span><span className={css.time}>{t.clock(event.time)}</span>
            </UnstyledButton>
            {open && <pre className={css.data} tabIndex={0} dir="ltr">{showControls(JSON.stringify(event.data, null, 2))}</pre>}
          </>
        );
      }}
    </UnevenRows>
  );
}
