/** The field a question is written in. What was typed is kept until it was accepted. */
import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "~/components/common/IconButton";
import { useT } from "~/i18n";
import { messageId } from "./message";
import css from "./Composer.module.css";

/** Where the browser fits the field to its text by itself, it need not be measured. */
const grows = globalThis.CSS?.supports?.("field-sizing", "content") ?? false;

interface Properties {
  text: string; working: boolean; stopping: boolean; editing: boolean; scope: ReactNode; disabled?: boolean;
  onText: (text: string) => void; onSend: () => void; onStop: () => void; onCancelEdit: () => void;
}

export function Composer({ text, working, stopping, editing, scope, disabled, onText, onSend, onStop, onCancelEdit }: Properties) {
  const t = useT();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || grows) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 260)}px`;
  }, [text]);
  useEffect(() => {
    // On a touch screen the focus would raise the keyboard over the page.
    if (matchMedia("(pointer: coarse)").matches) return;
    // With the next picture: to give the focus at once the browser would lay out all that a new chat brings a second time.
    const frame = requestAnimationFrame(() => field.current?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [editing]);
  // Whoever presses Enter while an answer is written is told why nothing is sent.
  const [refused, setRefused] = useState(false);
  useEffect(() => { if (!working || !text.trim()) setRefused(false); }, [working, text]);
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (text.trim() && working) setRefused(true);
      else if (text.trim()) onSend();
    }
    if (event.key === "Escape" && editing) {
      event.preventDefault();
      onCancelEdit();
    }
  };
  return (
    <div className={css.composer} data-editing={editing || undefined}>
      {editing && <div className={css.above} data-editing><span>{t("chat.editing")}</span><button type="button" onClick={onCancelEdit}>{t("app.cancel")}</button></div>}
      <div role="status">{refused && <div className={css.above}><span>{t("chat.wait")}</span><button type="button" disabled={stopping} onClick={onStop}>{t("chat.stopAnswer")}</button></div>}</div>
      <div className={css.row}>
        <textarea
          ref={field} id={messageId} className={css.field} rows={1} value={text} dir="auto" placeholder={t("chat.placeholder")} aria-label={t("chat.message")} aria-describedby="composer-hint"
          onChange={(event) => onText(event.target.value)} onKeyDown={keys}
        />
        {working
          ? <IconButton label={t("chat.stop")} variant="filled" color="red" size={38} disabled={stopping} onClick={onStop}><Square size={15} fill="currentColor" /></IconButton>
          : <IconButton label={t("chat.send")} variant="filled" color="blue" size={38} disabled={!text.trim() || disabled} onClick={onSend}><ArrowUp size={19} /></IconButton>}
      </div>
      {scope}
      <span id="composer-hint" className="visually-hidden">{t("chat.hint")}</span>
    </div>
  );
}
