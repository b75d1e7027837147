/** A command to be run where the server runs, with the button that copies it. */
import css from "./Command.module.css";
import { CopyButton } from "./CopyButton";

export function Command({ children }: { children: string }) {
  return <div className={css.command}><code dir="ltr">{children}</code><CopyButton text={() => children} /></div>;
}
