/** The passages a run found: first those its answer uses, then the others, each with its score and why it was used or not. */
import type { Source } from "~/api/types";
import { type Translator, useT } from "~/i18n";
import { lowScore, quoteOf, type RankedSource, rankSources } from "~/state/citations";
import { hung, whole } from "~/state/joined";
import { place } from "./place";
import { ScoreBar } from "./ScoreBar";
import css from "./PassageList.module.css";

function why({ source, use }: RankedSource, t: Translator): string {
  if (use !== "uncited") return t(`source.why.${source.support}`);
  return source.score < lowScore ? t("source.why.low") : t("source.why.uncited");
}

export function PassageList({ sources, text, onOpen }: { sources: Source[]; text: string; onOpen: (source: Source) => void }) {
  const t = useT();
  const ranked = rankSources(sources, text);
  const used = ranked.filter((item) => item.use !== "uncited");
  const rest = ranked.filter((item) => item.use === "uncited");
  return (
    <div className={css.list}>
      {[{ title: t("source.used"), items: used }, { title: t("source.uncited"), items: rest }].map(({ title, items }) => items.length > 0 && (
        <section key={title}>
          <h3>{title} <span className="quiet number">{t.number(items.length)}</span></h3>
          <ul>
            {items.map((item) => (
              <li key={item.source.chunk_id} data-use={item.use}>
                <button type="button" onClick={() => onOpen(item.source)}>
                  <span className={css.head}><span className={css.n}>{item.source.n}</span><span className={css.name} dir="auto">{item.source.document_name}</span><ScoreBar score={item.source.score} /></span>
                  <span className={css.place} dir="auto">{place(item.source, t)}</span>
                  <span className={css.quote} dir="auto">{whole(hung(quoteOf(item.source)))}</span>
                  <span className={css.why}>{why(item, t)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
