/** An absolute score in 0..1 as a short bar and a number. */
import { useT } from "~/i18n";
import { lowScore } from "~/state/citations";
import css from "./ScoreBar.module.css";

export function ScoreBar({ score, label }: { score: number; label?: string }) {
  const t = useT();
  const shown = t.number(score, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return (
    <span className={css.score} data-low={score < lowScore || undefined}>
      <span className={css.track} aria-hidden="true"><span style={{ width: `${Math.round(Math.max(0, Math.min(1, score)) * 100)}%` }} /></span>
      <span className="visually-hidden">{label ?? t("search.scoreTotal")} </span><span>{shown}</span>
    </span>
  );
}
