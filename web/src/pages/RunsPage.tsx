/** What is working now, what has finished, and the settings of the next runs. */
import { Loader } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Activity } from "lucide-react";
import { useEffect, useRef } from "react";
import type { RunBrief } from "~/api/types";
import { Empty } from "~/components/common/Empty";
import { Page } from "~/components/common/Page";
import { Problem } from "~/components/common/Problem";
import { RunStatusMark } from "~/components/runs/RunStatusMark";
import { RunSettings } from "~/components/runs/RunSettings";
import { costText } from "~/components/runs/cost";
import { useRuns } from "~/hooks/data";
import { useT } from "~/i18n";
import { hasEnded } from "~/state/turns";
import css from "./RunsPage.module.css";

export function RunsPage() {
  const t = useT();
  const runs = useRuns();
  const all = runs.data?.pages.flatMap((page) => page.items) ?? [];
  const now = all.filter((run) => !hasEnded(run.status));
  const past = all.filter((run) => hasEnded(run.status));
  return (
    <Page title={t("runs.title")} lead={t("runs.lead")}>
      {runs.isError && <Problem error={runs.error} retry={() => void runs.refetch()} />}
      <section className={css.section}>
        <h2>{t("runs.now")}</h2>
        {now.length ? <ul className={css.now}>{now.map((run) => <li key={run.id}><RunRow run={run} /></li>)}</ul> : <p className="quiet">{t("runs.nothingNow")}</p>}
      </section>
      <section className={css.section}>
        <h2>{t("runs.past")}</h2>
        {runs.isSuccess && !past.length && <Empty icon={<Activity size={22} />} title={t("runs.title")}>{t("runs.none")}</Empty>}
        {past.length > 0 && <PastRuns runs={past} onEnd={() => { if (runs.hasNextPage && !runs.isFetchingNextPage) void runs.fetchNextPage(); }} />}
      </section>
      <section className={css.section}>
        <h2>{t("runs.settings")}</h2>
        <RunSettings />
      </section>
    </Page>
  );
}

function PastRuns({ runs, onEnd }: { runs: RunBrief[]; onEnd: () => void }) {
  const t = useT();
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: runs.length, getScrollElement: () => scroll.current, estimateSize: () => 62, overscan: 10 });
  const visible = rows.getVirtualItems();
  const end = visible.at(-1)?.index ?? 0;
  useEffect(() => { if (end >= runs.length - 10) onEnd(); }, [end, runs.length, onEnd]);
  return (
    <div ref={scroll} className={css.scroll} tabIndex={0} role="group" aria-label={t("runs.past")}>
      <ul style={{ height: rows.getTotalSize() }}>
        {visible.map((row) => {
          const run = runs[row.index];
          return run && <li key={run.id} ref={rows.measureElement} data-index={row.index} style={{ transform: `translateY(${row.start}px)` }}><RunRow run={run} /></li>;
        })}
      </ul>
    </div>
  );
}

function RunRow({ run }: { run: RunBrief }) {
  const t = useT();
  const working = !hasEnded(run.status);
  const time = run.started_at && run.finished_at ? t.duration(new Date(run.finished_at).getTime() - new Date(run.started_at).getTime()) : null;
  const tokens = run.usage ? `${t.number(run.usage.input_tokens + run.usage.output_tokens)} ${t("runs.tokens")}` : null;
  const cost = costText(run.usage, t);
  return (
    <Link to="/runs/$runId" params={{ runId: run.id }} className={css.row}>
      {working ? <Loader size={15} aria-hidden="true" /> : <RunStatusMark status={run.status} />}
      <span className={css.text}>
        <span className={css.question} dir="auto">{run.question}</span>
        <span className={css.facts}>{[t(`status.${run.status}`), run.model, time, tokens, cost, t.date(run.started_at ?? run.created_at)].filter(Boolean).join(" · ")}</span>
      </span>
    </Link>
  );
}
