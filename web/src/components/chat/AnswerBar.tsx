/** What can be done with an answer: copy, rate, ask again, edit, branch, look at its run. */
import { Menu } from "@mantine/core";
import { Activity, GitBranch, MoreHorizontal, Pencil, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import { CopyButton } from "~/components/common/CopyButton";
import { IconButton } from "~/components/common/IconButton";
import { LinkItem } from "~/components/common/links";
import { copiedAnswer } from "~/components/source/copied";
import { useT } from "~/i18n";
import type { RunState } from "~/state/runState";
import type { Turn } from "~/state/turns";
import { ContextMeter } from "./ContextMeter";
import type { TurnActions } from "./TurnView";
import css from "./TurnView.module.css";

/** `past`: an earlier answer, which has left the conversation: it can be read, copied and looked into. `versions`: the way from one to the other. */
interface Properties { turn: Turn; actions: TurnActions; runId: string; text: string; state: RunState; past: boolean; versions: ReactNode }

export function AnswerBar({ turn, actions, runId, text, state, past, versions }: Properties) {
  const t = useT();
  const rating = turn.answer?.feedback ?? null;
  // Who edits the question goes on in the field, not at the button of the menu.
  const [back, setBack] = useState(true);
  const edit = () => { setBack(false); actions.edit(turn); };
  // Where nothing was written there is nothing to copy or to rate.
  const written = text.trim() !== "";
  const messageId = state.messageId ?? turn.answer?.id ?? null;
  return (
    <div className={css.bar}>
      {versions}
      {written && <CopyButton text={() => copiedAnswer(text, state.sources, t)} label={t("chat.copyAnswer")} size={34} />}
      {written && !past && messageId && (
        <>
          <IconButton label={t("chat.good")} pressed={rating === 1} variant={rating === 1 ? "light" : "subtle"} color={rating === 1 ? "blue" : "gray"} onClick={() => actions.rate(messageId, 1)}><ThumbsUp size={16} /></IconButton>
          <IconButton label={t("chat.bad")} pressed={rating === -1} variant={rating === -1 ? "light" : "subtle"} color={rating === -1 ? "red" : "gray"} onClick={() => actions.rate(messageId, -1)}><ThumbsDown size={16} /></IconButton>
        </>
      )}
      {!past && turn.question.id && <IconButton label={t("chat.regenerate")} onClick={() => actions.regenerate(turn)}><RotateCcw size={16} /></IconButton>}
      <Menu position="bottom-start" shadow="md" withArrow={false} returnFocus={back} onOpen={() => setBack(true)}>
        <Menu.Target><IconButton label={t("app.more")}><MoreHorizontal size={16} /></IconButton></Menu.Target>
        <Menu.Dropdown>
          {!past && turn.question.id && <Menu.Item leftSection={<Pencil size={15} />} onClick={edit}>{t("chat.edit")}</Menu.Item>}
          {!past && turn.question.id && <Menu.Item leftSection={<GitBranch size={15} />} onClick={() => actions.branch(turn)}>{t("chat.branch")}</Menu.Item>}
          <LinkItem leftSection={<Activity size={15} />} to="/runs/$runId" params={{ runId }}>{t("chat.timeline")}</LinkItem>
        </Menu.Dropdown>
      </Menu>
      <span className={css.space} />
      <ContextMeter rounds={state.rounds} />
    </div>
  );
}
