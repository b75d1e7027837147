/** Marks a step whose arguments go to another machine. */
import { ArrowUpRight } from "lucide-react";
import { useT } from "~/i18n";
import css from "./NetworkBadge.module.css";

export function NetworkBadge() {
  const t = useT();
  return <span className={css.badge}><ArrowUpRight size={13} aria-hidden="true" />{t("tool.leaves")}</span>;
}
