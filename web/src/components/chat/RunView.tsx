/** What a run did and says, in the order it happened. */
import type { Step } from "~/api/types";
import { LinkButton } from "~/components/common/links";
import { Notice } from "~/components/common/Notice";
import { Markdown } from "~/components/markdown/Markdown";
import { useT } from "~/i18n";
import { citedNumbers } from "~/state/citations";
import { withoutNote } from "~/state/modelNote";
import { type Block, foundNothing, type Notice as NoticeData, type RunState, textOf } from "~/state/runState";
import { Ending } from "./Ending";
import { Steps } from "./Steps";
import css from "./RunView.module.css";

/** `told`: that no language model is connected was said further up in this conversation. */
export function RunView({ state, told = false }: { state: RunState; told?: boolean }) {
  const streamed = state.blocks.map((block) => (block.kind === "text" ? block.live.text : "")).join("");
  const shownApart = state.answer !== null && state.answer !== streamed && state.answer !== lastText(state.blocks);
  // The note below the answer says it once, with the button that helps.
  const bare = state.blocks.some((block) => block.kind === "notice" && block.notice.code === "no_language_model") ? withoutNote : (text: string) => text;
  const lastIndex = state.blocks.findLastIndex((block) => block.kind === "text" && block.live.text !== "");
  return (
    <div className={css.run}>
      {state.blocks.map((block, index) => {
        // Where the page says that nothing was found, it says it once.
        if (block.kind === "notice" && block.notice.code === "uncited" && foundNothing(state)) return null;
        if (block.kind === "notice" && block.notice.code === "no_language_model" && (told || !citedNumbers(textOf(state)).size)) return null;
        if (block.kind === "notice") return <RunNotice key={index} notice={block.notice} />;
        if (block.kind === "calls") return <Steps key={index} runId={state.runId} steps={stepsOf(state, block.ids)} />;
        if (!block.live.text || (shownApart && index === lastIndex)) return null;
        const aside = index !== lastIndex || (block.finished && !state.ended && state.blocks.slice(index).some((later) => later.kind === "calls"));
        return <div key={index} className={aside ? css.aside : undefined}><Markdown text={bare(block.live.text)} live={!block.finished && !state.ended} /></div>;
      })}
      {shownApart && <Markdown text={bare(state.answer ?? "")} />}
      {!state.ended && <Working state={state} />}
      {state.ended && <Ending state={state} />}
    </div>
  );
}

const stepsOf = (state: RunState, ids: string[]) => ids.map((id) => state.calls[id]).filter((step): step is Step => step !== undefined);

function lastText(blocks: Block[]): string {
  const last = blocks.findLast((block) => block.kind === "text" && block.live.text !== "");
  return last?.kind === "text" ? last.live.text : "";
}

function Working({ state }: { state: RunState }) {
  const t = useT();
  const last = state.blocks.at(-1);
  const writing = last?.kind === "text" && last.live.text !== "" && !last.finished;
  const calling = Object.values(state.calls).some((step) => step.status === "running");
  if (writing || calling) return null;
  return (
    <div className={css.working} role="status">
      <span className={css.pulse} aria-hidden="true"><i /><i /><i /></span>
      {t(state.status === "queued" ? "chat.waiting" : "chat.thinking")}
      {state.reasoning.text && !state.blocks.some((block) => block.kind === "text" && block.live.text) && (
        <details className={css.reasoning}><summary>{t("chat.reasoning")}</summary><p dir="auto">{state.reasoning.text}</p></details>
      )}
    </div>
  );
}

function titleOf(code: string): "notice.keyword_only" | "notice.context_cut" | "notice.no_language_model" | "notice.other" {
  if (code.startsWith("vectors_")) return "notice.keyword_only";
  return code === "context_cut" ? "notice.context_cut" : code === "no_language_model" ? "notice.no_language_model" : "notice.other";
}

function RunNotice({ notice }: { notice: NoticeData }) {
  const t = useT();
  const title = titleOf(notice.code);
  const connect = title === "notice.no_language_model";
  return (
    <Notice
      tone={title === "notice.context_cut" ? "warning" : "info"} title={t(title)}
      action={connect && <LinkButton to="/settings" hash="connect" size="compact-sm" variant="default">{t("notice.connect")}</LinkButton>}
    >
      {t.maybe(`notice.text.${notice.code}`, notice.message)}
    </Notice>
  );
}
