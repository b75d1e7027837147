/** What a turn's buttons do. The same functions for the life of the conversation, so that no turn is drawn again because another came. */
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { api } from "~/api/client";
import type { TurnActions } from "~/components/chat/TurnView";
import { useT } from "~/i18n";
import type { Turn } from "~/state/turns";
import type { Ask } from "./ask";
import { queryClient } from "./live";

interface Conversation { id: string | null; title: string; turns: Turn[]; ask: Ask }

export function useTurnActions(conversation: Conversation, open: TurnActions["open"], edit: TurnActions["edit"]): TurnActions {
  const t = useT();
  const navigate = useNavigate();
  const latest = useRef(conversation);
  latest.current = conversation;
  return useMemo((): TurnActions => ({
    open,
    edit,
    regenerate: (turn) => void latest.current.ask.send(turn.question.text, { replaces: turn.question.id }),
    branch: (turn) => {
      const { id, turns, title } = latest.current;
      const next = turns[turns.findIndex((item) => item.key === turn.key) + 1]?.question.id;
      void branch(id ?? "", next, t("chat.branchTitle", { title })).then((copy) => {
        void queryClient.invalidateQueries({ queryKey: ["conversations"] });
        return navigate({ to: "/chat/$conversationId", params: { conversationId: copy.id } });
      });
    },
    rate: (messageId, rating) => void api.feedback(messageId, rating).then(() => queryClient.invalidateQueries({ queryKey: ["messages", latest.current.id] })),
  }), [navigate, open, edit, t]);
}

/** A copy up to the question `before`, or of all, under a name of its own. */
async function branch(conversationId: string, before: string | undefined, title: string) {
  const copy = await api.branchConversation(conversationId, before);
  return api.renameConversation(copy.id, title);
}
