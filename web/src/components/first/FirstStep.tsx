/** One step of the first start: a mark when it is done, what it is, its buttons. */
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "~/i18n";
import css from "./FirstStart.module.css";

export function FirstStep({ icon, title, text, done, children }: { icon: ReactNode; title: string; text: string; done: boolean; children: ReactNode }) {
  const t = useT();
  return (
    <li className={css.step} data-done={done || undefined}>
      <span className={css.mark} aria-hidden="true">{done ? <Check size={19} /> : icon}</span>
      <div>
        <h3>{title}{done && <span className="visually-hidden"> ({t("first.done")})</span>}</h3>
        <p>{text}</p>
        <div className={css.actions}>{children}</div>
      </div>
    </li>
  );
}
