/** What is working now, what has finished, and the settings of the next runs. */
import { Loader } from "@mantine/core";
import { Activity } from "lucide-react";
import { memo, useMemo } from "react";
import type { RunBrief } from "~/api/types";
import { AppLink } from "~/components/common/AppLink";
import { Empty } from "~/components/common/Empty";
import { LongRows } from "~/components/common/LongRows";
import { Page } from "~/components/common/Page";
import { Problem } from "~/components/common/Problem";
import { RunStatusMark } from "~/components/runs/RunStatusMark";
import { RunSettings } from "~/components/runs/RunSettings";
import { costText, spent } from "~/components/runs/cost";
import { useRuns } from "~/hooks/lists";
import { useT } from "~/i18n";
import { joined } from "~/state/joined";
import { hasEnded } from "~/state/turns";
import css from "./RunsPage.module.css";

export function RunsPage() {
  const t = useT();
  const runs = useRuns();
  const now = useMemo(() => runs.items.filter((run) => !hasEnded(run.status)), [runs.items]);
  const past = useMemo(() => runs.items.filter((run) => hasEnded(run.status)), [runs.items]);
  return (
    <Page title={t("runs.title")} lead={t("runs.lead")}>
      {runs.error !== null && <Problem error={runs.error} retry={runs.again} />}
      <section className={css.section}>
        <h2>{t("runs.now")}</h2>
        {now.length ? <ul className={css.now}>{now.map((run) => <li key={run.id}><RunRow run={run} /></li>)}</ul> : <p className="quiet">{t("runs.nothingNow")}</p>}
      </section>
      <section className={css.section}>
        <h2>{t("runs.past")}</h2>
        {runs.ready && !past.length && <Empty icon={<Activity size={22} />} title={t("runs.title")}>{t("runs.none")}</Empty>}
        {past.length > 0 && <LongRows items={past} height={62} keyOf={(run) => run.id} label={t("runs.past")} className={css.scroll} onEnd={runs.more}>{(run) => <RunRow run={run} />}</LongRows>}
      </section>
      <section className={css.section}>
        <h2>{t("runs.settings")}</h2>
        <RunSettings />
      </section>
    </Page>
  );
}

const RunRow = memo(function RunRow({ run }: { run: RunBrief }) {
  const t = useT();
  const working = !hasEnded(run.status);
  const time = run.started_at && run.finished_at ? t.duration(new Date(run.finished_at).getTime() - new Date(run.started_at).getTime()) : null;
  const usage = spent(run.usage);
  const tokens = usage && t("context.tokens", { tokens: usage.input_tokens + usage.output_tokens });
  const cost = usage?.cost?.complete ? costText(usage, t) : null;
  return (
    <AppLink to={`/runs/${run.id}`} className={css.row}>
      {working ? <Loader size={15} aria-hidden="true" /> : <RunStatusMark status={run.status} />}
      <span className={css.text}>
        <span className={css.question} dir="auto">{run.question}</span>
        <span className={css.facts}>{joined([t(`status.${run.status}`), run.model?.split("/").slice(1).join("/") || run.model, time, tokens, cost, t.date(run.started_at ?? run.created_at)])}</span>
      </span>
    </AppLink>
  );
});
