/** What a tool gave back, readable: passages and pages as lists, texts as text, a calculation as a line, anything else by its names. */
import type { ReactNode } from "react";
import { ScoreBar } from "~/components/source/ScoreBar";
import { useCiting } from "~/components/markdown/SourcesContext";
import { useT } from "~/i18n";
import { showControls } from "~/state/controls";
import { hung, whole } from "~/state/joined";
import { oneLine, plain } from "~/state/plain";
import type { HitRow, StepResult as Result } from "~/state/stepResult";
import { placeWords } from "~/state/stepWords";
import css from "./StepResult.module.css";

export function StepResult({ result }: { result: Result }) {
  const t = useT();
  switch (result.kind) {
    case "hits":
      if (!result.hits.length) return <p className="quiet">{t("step.noHits")}</p>;
      return <ul className={css.rows}>{result.hits.map((hit, index) => <Hit key={index} hit={hit} />)}</ul>;
    case "text":
      return (
        <>
          {result.document && <p className={css.name} dir="auto">{showControls(placeWords(result, t))}</p>}
          <p className={css.text} tabIndex={0} dir="auto">{showControls(plain(result.text))}</p>
        </>
      );
    case "calculation": return <p className={css.sum} dir="ltr">{showControls(`${result.expression} = ${result.result}`)}</p>;
    case "clock": return <p>{t.moment(result.datetime, result.timezone) || showControls(result.datetime)} <span className="quiet">{showControls(result.timezone)}</span></p>;
    case "documents":
      return (
        <ul className={css.rows}>
          {result.documents.map((item, index) => (
            <li key={index}><span className={css.name} dir="auto">{showControls(item.name)}</span> <span className="quiet">{showControls([item.base, item.size === null ? "" : t.bytes(item.size)].filter(Boolean).join(" · "))}</span></li>
          ))}
        </ul>
      );
    case "web":
      return (
        <ul className={css.rows}>
          {result.results.map((item, index) => (
            <li key={index}><span className={css.name} dir="auto">{showControls(item.title)}</span><span className={css.address} dir="ltr">{showControls(item.url)}</span><span className={css.excerpt} dir="auto">{showControls(item.snippet)}</span></li>
          ))}
        </ul>
      );
    case "other": return <div className={css.other} tabIndex={0}><Value value={result.value} /></div>;
  }
}

function Hit({ hit }: { hit: HitRow }) {
  const t = useT();
  const { sources, open } = useCiting();
  const where = placeWords({ ...hit, document: "" }, t);
  const source = sources.find((item) => item.n === hit.n);
  const inner = (
    <>
      <span className={css.head}>{hit.n !== null && <span className={css.n}>{hit.n}</span>}<span className={css.name} dir="auto">{showControls(hit.document)}{where && <span className={css.where}>{showControls(where)}</span>}</span>{hit.score !== null && <ScoreBar score={hit.score} />}</span>
      <span className={css.excerpt} dir="auto">{whole(showControls(hung(oneLine(hit.excerpt))))}</span>
    </>
  );
  return <li>{source ? <button type="button" className={css.hit} onClick={() => open(source)}>{inner}</button> : inner}</li>;
}

/** A value of any shape: names with their values, lists as lists. Deeper than three levels it is not of use to a reader. */
function Value({ value, depth = 0 }: { value: unknown; depth?: number }): ReactNode {
  if (value === null || value === undefined || value === "") return <span className="quiet">–</span>;
  if (typeof value !== "object") return <span className={css.word} dir="auto">{showControls(String(value))}</span>;
  if (depth > 2) return <span className={css.word} dir="ltr">{showControls(JSON.stringify(value))}</span>;
  if (Array.isArray(value)) return <ul>{value.map((item, index) => <li key={index}><Value value={item} depth={depth + 1} /></li>)}</ul>;
  return (
    <dl>
      {Object.entries(value).map(([name, item]) => <div key={name}><dt>{showControls(name.replaceAll("_", " "))}</dt><dd><Value value={item} depth={depth + 1} /></dd></div>)}
    </dl>
  );
}
