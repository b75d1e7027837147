/** A question and its run, with what can be done with both. */
import { Button } from "@mantine/core";
import { memo, useDeferredValue, useMemo, useRef } from "react";
import type { Source } from "~/api/types";
import { Notice } from "~/components/common/Notice";
import { Markdown } from "~/components/markdown/Markdown";
import { CitingProvider } from "~/components/markdown/SourcesContext";
import { runStore, useRun } from "~/hooks/live";
import { useNear } from "~/hooks/near";
import { useT } from "~/i18n";
import { rankSources } from "~/state/citations";
import { amounts } from "~/state/joined";
import { withoutNote } from "~/state/modelNote";
import { foundNothing, textOf } from "~/state/runState";
import { hasEnded, type Turn } from "~/state/turns";
import { AnswerBar } from "./AnswerBar";
import { NoAnswer } from "./NoAnswer";
import { RunView } from "./RunView";
import { SourceStrip } from "./SourceStrip";
import css from "./TurnView.module.css";

export interface TurnActions {
  open: (source: Source | null, all: Source[], text: string) => void;
  regenerate: (turn: Turn) => void;
  edit: (turn: Turn) => void;
  branch: (turn: Turn) => void;
  rate: (messageId: string, rating: 1 | -1) => void;
}

/** `told`: an earlier answer of this conversation says already that no language model is connected. */
interface Properties { turn: Turn; actions: TurnActions; told: boolean }

export const TurnView = memo(function TurnView({ turn, actions, told }: Properties) {
  const t = useT();
  return (
    <article className={css.turn}>
      <div className={css.question}>
        <h2 className="visually-hidden">{t("chat.you")}</h2>
        <p dir="auto">{amounts(turn.question.text)}</p>
      </div>
      {turn.runId ? <RunTurn turn={turn} runId={turn.runId} actions={actions} told={told} /> : turn.answer && <Markdown text={turn.answer.text} />}
    </article>
  );
});

function RunTurn({ turn, runId, actions, told }: Properties & { runId: string }) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const ended = hasEnded(turn.answer?.status);
  const near = useNear(place);
  // The answer of a run that ended stands in its message; how it came about is read when the reader comes near.
  const { state, connection } = useRun(runId, ended, near || !ended);
  const waiting = state.seq === 0 && ended;
  const text = waiting ? (turn.answer?.text ?? "") : textOf(state);
  const sources = waiting ? (turn.answer?.sources ?? state.sources) : state.sources;
  // What stands below the answer may come a picture after its last word: a slow device is not held up by it.
  const done = useDeferredValue(state.ended);
  const citing = useMemo(
    () => ({ sources, settled: done || waiting, open: (source: Source) => actions.open(source, sources, text) }),
    // The text is read when a source is opened; as a dependency it would re-render every citation at each piece.
    [sources, done, waiting, actions],
  );
  const refused = foundNothing(state);
  return (
    <div ref={place} className={css.answer} aria-busy={!state.ended && !waiting}>
      <h2 className="visually-hidden">{t("chat.assistant")}</h2>
      <CitingProvider value={citing}>
        {waiting ? <Markdown text={withoutNote(text)} /> : <RunView state={state} told={told} />}
      </CitingProvider>
      {connection === "lost" && !state.ended && (
        <Notice tone="warning" live action={<Button size="compact-sm" variant="default" onClick={() => runStore.again(runId)}>{t("app.tryNow")}</Button>}>{t("chat.lost")}</Notice>
      )}
      {done && refused && <NoAnswer question={turn.question.text} near={rankSources(state.sources, text).map((item) => item.source)} onOpen={citing.open} />}
      {done && !refused && <SourceStrip sources={state.sources} text={text} onOpen={citing.open} onAll={() => actions.open(null, state.sources, text)} />}
      {done && <AnswerBar turn={turn} actions={actions} runId={runId} text={text} state={state} />}
    </div>
  );
}
