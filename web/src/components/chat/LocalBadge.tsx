/** Whether a model runs here or elsewhere. */
import { useT } from "~/i18n";
import css from "./LocalBadge.module.css";

export function LocalBadge({ local }: { local: boolean }) {
  const t = useT();
  return <span className={css.badge} data-remote={!local || undefined}>{t(local ? "scope.local" : "scope.remote")}</span>;
}
