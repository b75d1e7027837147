/** A question and its run, with what can be done with both. */
import { Menu } from "@mantine/core";
import { Activity, GitBranch, MoreHorizontal, Pencil, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { memo, useMemo, useRef } from "react";
import type { Source } from "~/api/types";
import { CopyButton } from "~/components/common/CopyButton";
import { LinkItem } from "~/components/common/links";
import { IconButton } from "~/components/common/IconButton";
import { Notice } from "~/components/common/Notice";
import { Markdown } from "~/components/markdown/Markdown";
import { CitingProvider } from "~/components/markdown/SourcesContext";
import { useRun } from "~/hooks/live";
import { useNear } from "~/hooks/near";
import { useT } from "~/i18n";
import { citedNumbers, rankSources } from "~/state/citations";
import { textOf } from "~/state/runState";
import { hasEnded, type Turn } from "~/state/turns";
import { ContextMeter } from "./ContextMeter";
import { NoAnswer } from "./NoAnswer";
import { RunView } from "./RunView";
import { SourceStrip } from "./SourceStrip";
import css from "./TurnView.module.css";

export interface TurnActions {
  open: (turn: Turn, source: Source | null, all: Source[], text: string) => void;
  regenerate: (turn: Turn) => void;
  edit: (turn: Turn) => void;
  branch: (turn: Turn) => void;
  rate: (messageId: string, rating: 1 | -1) => void;
}

interface Properties { turn: Turn; last: boolean; actions: TurnActions }

export const TurnView = memo(function TurnView({ turn, last, actions }: Properties) {
  const t = useT();
  return (
    <article className={css.turn}>
      <div className={css.question}>
        <h2 className="visually-hidden">{t("chat.you")}</h2>
        <p dir="auto">{turn.question.text}</p>
      </div>
      {turn.runId ? <RunTurn turn={turn} runId={turn.runId} last={last} actions={actions} /> : turn.answer && <Markdown text={turn.answer.text} />}
    </article>
  );
});

function RunTurn({ turn, runId, last, actions }: Properties & { runId: string }) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const ended = hasEnded(turn.answer?.status);
  const near = useNear(place);
  // The answer of a run that ended stands in its message; how it came about is read when the reader comes near.
  const { state, connection } = useRun(runId, ended, near || !ended);
  const waiting = state.seq === 0 && ended;
  const text = waiting ? (turn.answer?.text ?? "") : textOf(state);
  const sources = waiting ? (turn.answer?.sources ?? state.sources) : state.sources;
  const citing = useMemo(
    () => ({ sources, settled: state.ended || waiting, open: (source: Source) => actions.open(turn, source, sources, text) }),
    // The text is read when a source is opened; as a dependency it would re-render every citation at each piece.
    [sources, state.ended, waiting, actions, turn],
  );
  const refused = state.status === "completed" && citedNumbers(text).size === 0 && Object.values(state.calls).some((step) => step.tool === "search_documents");
  return (
    <div ref={place} className={css.answer} aria-busy={!state.ended && !waiting}>
      <h2 className="visually-hidden">{t("chat.assistant")}</h2>
      <CitingProvider value={citing}>
        {waiting ? <Markdown text={text} /> : <RunView state={state} />}
      </CitingProvider>
      {connection === "lost" && !state.ended && <Notice tone="warning" live>{t("chat.lost")}</Notice>}
      {refused && <NoAnswer question={turn.question.text} near={rankSources(state.sources, text).map((item) => item.source)} onOpen={citing.open} />}
      {state.ended && !refused && <SourceStrip sources={state.sources} text={text} onOpen={citing.open} onAll={() => actions.open(turn, null, state.sources, text)} />}
      {state.ended && <Bar turn={turn} last={last} actions={actions} runId={runId} text={text} messageId={state.messageId ?? turn.answer?.id ?? null} meter={<ContextMeter rounds={state.rounds} />} />}
    </div>
  );
}

interface BarProperties extends Properties { runId: string; text: string; messageId: string | null; meter: React.ReactNode }

function Bar({ turn, actions, runId, text, messageId, meter }: BarProperties) {
  const t = useT();
  const rating = turn.answer?.feedback ?? null;
  return (
    <div className={css.bar}>
      <CopyButton text={() => text} label={t("chat.copyAnswer")} />
      {messageId && (
        <>
          <IconButton label={t("chat.good")} pressed={rating === 1} variant={rating === 1 ? "light" : "subtle"} color={rating === 1 ? "blue" : "gray"} onClick={() => actions.rate(messageId, 1)}><ThumbsUp size={16} /></IconButton>
          <IconButton label={t("chat.bad")} pressed={rating === -1} variant={rating === -1 ? "light" : "subtle"} color={rating === -1 ? "red" : "gray"} onClick={() => actions.rate(messageId, -1)}><ThumbsDown size={16} /></IconButton>
        </>
      )}
      {turn.question.id && <IconButton label={t("chat.regenerate")} onClick={() => actions.regenerate(turn)}><RotateCcw size={16} /></IconButton>}
      <Menu position="bottom-start" shadow="md" withArrow={false}>
        <Menu.Target><IconButton label={t("app.more")}><MoreHorizontal size={16} /></IconButton></Menu.Target>
        <Menu.Dropdown>
          {turn.question.id && <Menu.Item leftSection={<Pencil size={15} />} onClick={() => actions.edit(turn)}>{t("chat.edit")}</Menu.Item>}
          {turn.question.id && <Menu.Item leftSection={<GitBranch size={15} />} onClick={() => actions.branch(turn)}>{t("chat.branch")}</Menu.Item>}
          <LinkItem leftSection={<Activity size={15} />} to="/runs/$runId" params={{ runId }}>{t("chat.timeline")}</LinkItem>
        </Menu.Dropdown>
      </Menu>
      <span className={css.space} />
      {meter}
    </div>
  );
}
