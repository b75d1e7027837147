/** The frame of a page that is not the chat: a title, what it is for, its main buttons, and a column to read. `fill`: as high as the window, for a long list that scrolls in it. */
import { type ReactNode, useEffect } from "react";
import { PathName } from "./PathName";
import css from "./Page.module.css";

interface Properties { title: string; lead?: ReactNode; actions?: ReactNode; back?: ReactNode; wide?: boolean; fill?: boolean; children: ReactNode }

export function Page({ title, lead, actions, back, wide = false, fill = false, children }: Properties) {
  useEffect(() => { document.title = `${title} · Famulus`; }, [title]);
  return (
    <div className={css.page}>
      <div className={css.column} data-wide={wide || undefined} data-fill={fill || undefined}>
        {back}
        <header className={css.header}>
          <div>
            <h1 dir="auto"><PathName name={title} /></h1>
            {lead && <div className={css.lead}>{lead}</div>}
          </div>
          {actions && <div className={css.actions}>{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}
