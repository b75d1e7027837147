/** A question and its run, with what can be done with both. */
import { Button } from "@mantine/core";
import { Pencil } from "lucide-react";
import { memo, useDeferredValue, useMemo, useRef, useState } from "react";
import type { Source } from "~/api/types";
import { IconButton } from "~/components/common/IconButton";
import { Notice } from "~/components/common/Notice";
import { Markdown } from "~/components/markdown/Markdown";
import { CitingProvider } from "~/components/markdown/SourcesContext";
import { runStore, useRun } from "~/hooks/live";
import { useNear } from "~/hooks/near";
import { useT } from "~/i18n";
import { rankSources } from "~/state/citations";
import { amounts } from "~/state/joined";
import { withoutNote } from "~/state/modelNote";
import { foundNothing, textOf, versionsOf } from "~/state/runState";
import { hasEnded, type Turn } from "~/state/turns";
import { AnswerBar } from "./AnswerBar";
import { NoAnswer } from "./NoAnswer";
import { RunView } from "./RunView";
import { SourceStrip } from "./SourceStrip";
import { Versions } from "./Versions";
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
  // An earlier answer that the reader looks at, with what was asked then.
  const [earlier, setEarlier] = useState<Earlier | null>(null);
  const asked = useRun(earlier?.run ?? "", true, earlier !== null).state.request.message;
  const show = (run: string, runs: string[]) => setEarlier(run === runs.at(-1) ? null : { run, runs });
  const editable = earlier === null && turn.question.id !== "" && hasEnded(turn.answer?.status);
  const shared = { actions, told, onShow: show };
  return (
    <article className={css.turn}>
      <div className={css.asked}>
        {editable && <span className={css.edit}><IconButton label={t("chat.edit")} size={32} onClick={() => actions.edit(turn)}><Pencil size={15} /></IconButton></span>}
        <div className={css.question}>
        <h2 className="visually-hidden">{t("chat.you")}</h2>
        <p dir="auto">{amounts(earlier !== null && typeof asked === "string" ? asked : turn.question.text)}</p>
        </div>
      </div>
      {earlier ? <RunTurn key={earlier.run} turn={{ ...turn, answer: null }} runId={earlier.run} versions={earlier.runs} {...shared} />
        : turn.runId ? <RunTurn turn={turn} runId={turn.runId} {...shared} /> : turn.answer && <Markdown text={turn.answer.text} />}
    </article>
  );
});

/** One of the answers before, and all of them up to the conversation's own. */
interface Earlier { run: string; runs: string[] }
/** `versions`: `runId` is an earlier one of these. */
interface RunProperties extends Properties { runId: string; versions?: string[]; onShow: (run: string, runs: string[]) => void }

function RunTurn({ turn, runId, actions, told, versions, onShow }: RunProperties) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const ended = hasEnded(turn.answer?.status);
  const near = useNear(place);
  // The answer of a run that ended stands in its message; how it came about is read when the reader comes near.
  const { state, connection } = useRun(runId, ended, near || !ended);
  const gone = connection === "gone" && state.seq === 0;
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
  const runs = versions ?? versionsOf(state);
  const past = versions !== undefined;
  const ways = <Versions runs={runs} shown={runId} onShow={(run) => onShow(run, runs)} />;
  return (
    <div ref={place} className={css.answer} aria-busy={!state.ended && !waiting}>
      <h2 className="visually-hidden">{t("chat.assistant")}</h2>
      <CitingProvider value={citing}>
        {waiting ? <Markdown text={withoutNote(text)} /> : gone ? <Notice tone="info">{t("chat.runGone")}</Notice> : <RunView state={state} told={told} />}
      </CitingProvider>
      {connection === "lost" && !state.ended && (
        <Notice tone="warning" live action={<Button size="compact-sm" variant="default" onClick={() => runStore.again(runId)}>{t("app.tryNow")}</Button>}>{t("chat.lost")}</Notice>
      )}
      {done && refused && <NoAnswer question={turn.question.text} near={rankSources(state.sources, text).map((item) => item.source)} onOpen={citing.open} />}
      {done && !refused && <SourceStrip sources={state.sources} text={text} onOpen={citing.open} onAll={() => actions.open(null, state.sources, text)} />}
      {done && <AnswerBar turn={turn} actions={actions} runId={runId} text={text} state={state} past={past} versions={ways} />}
      {gone && past && ways}
    </div>
  );
}
