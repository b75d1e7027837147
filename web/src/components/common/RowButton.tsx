/** A plain button with an icon for the rows of long lists, where the kit's own would cost too much. */
import type { ButtonHTMLAttributes, Ref } from "react";
import css from "./RowButton.module.css";

type Properties = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "title"> & { label: string; ref?: Ref<HTMLButtonElement> };

export function RowButton({ label, ...rest }: Properties) {
  return <button type="button" aria-label={label} title={label} {...rest} className={css.button} />;
}
