/** Something the reader should know, standing where it belongs. Never a vanishing message. */
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import css from "./Notice.module.css";

const icons = { info: Info, warning: TriangleAlert, error: CircleAlert };

interface Properties { tone: "info" | "warning" | "error"; title?: string; children?: ReactNode; action?: ReactNode; live?: boolean }

export function Notice({ tone, title, children, action, live = false }: Properties) {
  const Icon = icons[tone];
  return (
    <div className={css.notice} data-tone={tone} data-plain={!title || undefined} role={live ? (tone === "error" ? "alert" : "status") : undefined}>
      <Icon size={17} aria-hidden="true" className={css.icon} />
      <div className={css.body}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
