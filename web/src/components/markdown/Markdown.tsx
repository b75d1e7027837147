/** Model text, rendered by `Prose` as soon as that has been loaded; until then it stands there as plain text. */
import { memo, Suspense } from "react";
import { late } from "~/components/common/late";
import css from "./Plain.module.css";

interface Properties { text: string; live?: boolean }
const Plain = ({ text }: Properties) => <p className={css.plain} dir="auto">{text}</p>;
const Prose = late<Properties>(async () => (await import("./Prose")).Prose, Plain);

/** Fetches the renderer before the first answer needs it. */
export const preloadMarkdown = Prose.preload;

export const Markdown = memo(function Markdown(properties: Properties) {
  return <Suspense fallback={<Plain {...properties} />}><Prose {...properties} /></Suspense>;
});
