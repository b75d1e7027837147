/** One run: its figures, its timeline, its answer, and the events behind it. Goes on live while it works. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Download, MessageSquareText, Square } from "lucide-react";
import { useMemo, useState } from "react";
import { api } from "~/api/client";
import type { Source } from "~/api/types";
import { ContextMeter } from "~/components/chat/ContextMeter";
import { Ending } from "~/components/chat/Ending";
import { LinkButton } from "~/components/common/links";
import { Missing } from "~/components/common/Missing";
import { Page } from "~/components/common/Page";
import { Markdown } from "~/components/markdown/Markdown";
import { CitingProvider } from "~/components/markdown/SourcesContext";
import { costText, spent } from "~/components/runs/cost";
import { EventList } from "~/components/runs/EventList";
import { Timeline } from "~/components/runs/Timeline";
import { SourcePanel } from "~/components/source/SourcePanel";
import { useRun } from "~/hooks/live";
import { useT } from "~/i18n";
import { amounts, joined } from "~/state/joined";
import { textOf } from "~/state/runState";
import base from "./BasePage.module.css";
import search from "./SearchPage.module.css";
import css from "./RunPage.module.css";

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function RunPage({ runId }: { runId: string }) {
  const t = useT();
  const { state } = useRun(runId);
  const run = useQuery({ queryKey: ["run", runId, state.ended], queryFn: () => api.run(runId) });
  const events = useQuery({ queryKey: ["events", runId, state.seq], queryFn: () => api.runEvents(runId), placeholderData: (previous) => previous, enabled: state.seq > 0 });
  const [source, setSource] = useState<Source | null>(null);
  const text = textOf(state);
  const citing = useMemo(() => ({ sources: state.sources, settled: state.ended, open: setSource }), [state.sources, state.ended]);
  if (run.isError) return <Missing error={run.error} retry={() => void run.refetch()} to="/runs" label={t("app.toRuns")} />;
  const question = String(state.request.message ?? "");
  const usage = spent(state.summary?.usage ?? run.data?.usage);
  const first = state.summary?.durations?.first_token_ms;
  const conversation = run.data?.conversation_id;
  // As the list of runs has it, once the run has ended.
  const from = run.data?.started_at ?? state.startedAt;
  const to = run.data?.finished_at ?? state.endedAt;
  const time = from && to ? t.duration(Date.parse(to) - Date.parse(from)) : null;
  const figures: [string, string | null][] = [
    [t("doc.status"), t(`status.${state.status}`)],
    [t("runs.model"), state.rounds.at(-1)?.model ?? run.data?.model ?? null],
    [t("runs.time"), time],
    [t("runs.firstToken"), first === undefined || first === null ? null : t.duration(first)],
    [t("runs.tokens"), usage ? t("runs.tokensInOut", { input: usage.input_tokens, output: usage.output_tokens }) : null],
    [t("runs.cost"), costText(usage, t)],
  ];
  return (
    <div className={search.split} data-open={source ? true : undefined}>
      <Page
        title={amounts(question.length > 140 ? `${question.slice(0, 140)}…` : question) || t("runs.title")}
        back={<Link to="/runs" className={base.back}><ArrowLeft size={15} aria-hidden="true" />{t("runs.title")}</Link>}
        lead={joined([t("runs.rounds", { count: state.rounds.length }), t("runs.calls", { count: Object.keys(state.calls).length }), t.date(state.startedAt), run.isSuccess && !conversation && t("runs.noChat")])}
        actions={
          <>
            {!state.ended && state.seq > 0 && <Button color="red" leftSection={<Square size={14} />} onClick={() => void api.stopRun(runId)}>{t("chat.stop")}</Button>}
            {conversation && <LinkButton to="/chat/$conversationId" params={{ conversationId: conversation }} variant="default" leftSection={<MessageSquareText size={16} />}>{t("runs.conversation")}</LinkButton>}
            <Button variant="default" leftSection={<Download size={16} />} disabled={!events.data} onClick={() => download(`run-${runId}.json`, JSON.stringify(events.data, null, 2))}>{t("runs.export")}</Button>
          </>
        }
      >
        <dl className={css.figures}>
          {figures.map(([name, value]) => value && <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
          <div><dt>{t("context.label")}</dt><dd><ContextMeter rounds={state.rounds} /></dd></div>
        </dl>
        <section className={css.section}><h2>{t("runs.timeline")}</h2><Timeline state={state} /></section>
        <section className={css.section}>
          <h2>{t("runs.answer")}</h2>
          <CitingProvider value={citing}><div className={css.answer}><Markdown text={text} live={!state.ended} /></div></CitingProvider>
          {state.ended && <Ending state={state} />}
        </section>
        <section className={css.section}>
          <h2>{t("runs.eventsTitle")} <span className="quiet number">{t.number(events.data?.items.length ?? 0)}</span></h2>
          {events.data && <EventList events={events.data.items} />}
        </section>
      </Page>
      {source && <div className={search.panel}><SourcePanel sources={state.sources} text={text} current={source} onOpen={(next) => setSource(next)} onClose={() => setSource(null)} /></div>}
    </div>
  );
}
