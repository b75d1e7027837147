/** `‹ 1/2 ›`: the answers that a question has had, each with what was asked then; the last one is the conversation's. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "~/components/common/IconButton";
import { useT } from "~/i18n";
import css from "./Versions.module.css";

interface Properties { runs: string[]; shown: string; onShow: (run: string) => void }

export function Versions({ runs, shown, onShow }: Properties) {
  const t = useT();
  if (runs.length < 2) return null;
  const at = runs.indexOf(shown);
  const step = (by: number) => { const next = runs[at + by]; if (next) onShow(next); };
  return (
    <span className={css.versions} role="group" aria-label={t("chat.versions")}>
      <IconButton label={t("chat.versionBefore")} size={30} disabled={at <= 0} onClick={() => step(-1)}><ChevronLeft size={16} /></IconButton>
      <span role="status"><span aria-hidden="true">{t.number(at + 1)}/{t.number(runs.length)}</span><span className="visually-hidden">{t("chat.versionOf", { n: at + 1, count: runs.length })}</span></span>
      <IconButton label={t("chat.versionNext")} size={30} disabled={at >= runs.length - 1} onClick={() => step(1)}><ChevronRight size={16} /></IconButton>
    </span>
  );
}
