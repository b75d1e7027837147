/** An empty place, designed: what it is for and what to do next. */
import type { ReactNode } from "react";
import css from "./Empty.module.css";

export function Empty({ icon, title, children, actions }: { icon?: ReactNode; title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={css.empty}>
      {icon && <div className={css.icon} aria-hidden="true">{icon}</div>}
      <h2>{title}</h2>
      {children && <div className={css.text}>{children}</div>}
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
