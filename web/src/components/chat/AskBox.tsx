/** The composer with its state: draft, scope, the one-time web switch, what is being edited, and the run that can be stopped. */
import { useEffect, useState } from "react";
import { api } from "~/api/client";
import { Problem } from "~/components/common/Problem";
import { useBases, useModels } from "~/hooks/data";
import type { Ask } from "~/hooks/ask";
import { queryClient, useRunWorking } from "~/hooks/live";
import { usePreferences } from "~/i18n";
import { draft, keepDraft } from "~/state/drafts";
import { prefer } from "~/state/preferences";
import { hasEnded, type Turn } from "~/state/turns";
import { Composer } from "./Composer";
import { ScopeBar } from "./ScopeBar";
import css from "./AskBox.module.css";

interface Properties { conversationId: string | null; ask: Ask; turns: Turn[]; editing: Turn | null; onEdited: () => void }

export function AskBox({ conversationId, ask, turns, editing, onEdited }: Properties) {
  const name = conversationId ?? "new";
  const [text, setText] = useState(() => draft(name));
  const [web, setWeb] = useState(false);
  const chosen = usePreferences();
  const bases = useBases();
  const models = useModels();
  const [stopping, setStopping] = useState<string | null>(null);
  const last = turns.at(-1);

  // In the same picture, not after it: what is typed right after the click must not be overwritten.
  const [shown, setShown] = useState(editing);
  if (shown !== editing) {
    setShown(editing);
    setText(editing ? editing.question.text : draft(name));
  }
  const write = (value: string) => {
    setText(value);
    if (!editing) keepDraft(name, value);
  };
  const send = async () => {
    const accepted = await ask.send(text.trim(), { web, replaces: editing?.question.id || undefined });
    if (!accepted) return;
    setWeb(false);
    if (!editing) keepDraft(name, "");
    setText("");
    onEdited();
  };
  const items = models.data?.items ?? [];
  const model = items.find((item) => item.name === chosen.model) ?? items.find((item) => item.name === models.data?.default) ?? items[0] ?? null;
  const scope = <ScopeBar settled={!bases.isPending && !models.isPending} chosen={chosen} bases={bases.data?.items ?? []} models={items} model={model} web={web} onChange={prefer} onWeb={setWeb} />;
  const shared = { text, editing: editing !== null, scope, onText: write, onSend: () => void send(), onCancelEdit: onEdited };
  return (
    <>
      {ask.error !== null && <div className={css.problem}><Problem error={ask.error} onBack={ask.clear} /></div>}
      {last?.runId
        ? (
          <RunningComposer
            key={last.runId} runId={last.runId} ended={hasEnded(last.answer?.status)} conversationId={conversationId} disabled={ask.sending}
            stopping={stopping === last.runId} onStop={(id) => { setStopping(id); void api.stopRun(id); }} {...shared}
          />
        )
        : <Composer {...shared} working={false} stopping={false} disabled={ask.sending} onStop={() => undefined} />}
    </>
  );
}

type Shared = Omit<Parameters<typeof Composer>[0], "working" | "onStop">;

function RunningComposer({ runId, ended, conversationId, onStop, ...rest }: Shared & { runId: string; ended: boolean; conversationId: string | null; onStop: (id: string) => void }) {
  const working = useRunWorking(runId, ended);
  useEffect(() => {
    if (working || ended) return;
    const tell = () => {
      void queryClient.invalidateQueries({ queryKey: ["messages", conversationId] });
      void queryClient.invalidateQueries({ queryKey: ["conversations"] });
    };
    // After the picture that shows the end, not before it; at once where the reader leaves before that.
    let waiting: ReturnType<typeof setTimeout> | null = setTimeout(() => { waiting = null; tell(); }, 50);
    return () => {
      if (waiting === null) return;
      clearTimeout(waiting);
      tell();
    };
  }, [working, ended, conversationId]);
  return <Composer {...rest} working={working} onStop={() => onStop(runId)} />;
}
