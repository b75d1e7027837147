/** Model text, rendered by `Prose` as soon as that has been loaded; until then it stands there as plain text. */
import { lazy, Suspense } from "react";
import css from "./Plain.module.css";

const load = () => import("./Prose");
const Prose = lazy(async () => ({ default: (await load()).Prose }));

/** Fetches the renderer before the first answer needs it. */
export function preloadMarkdown(): void {
  void load();
}

export function Markdown(properties: { text: string; live?: boolean }) {
  return <Suspense fallback={<p className={css.plain} dir="auto">{properties.text}</p>}><Prose {...properties} /></Suspense>;
}
