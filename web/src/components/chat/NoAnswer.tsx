/** The documents hold no answer: said plainly, with the next steps. */
import { FilePlus2, Search } from "lucide-react";
import type { Source } from "~/api/types";
import { LinkButton } from "~/components/common/links";
import { useT } from "~/i18n";
import { quoteOf } from "~/state/citations";
import { whole } from "~/state/joined";
import css from "./NoAnswer.module.css";

export function NoAnswer({ question, near, onOpen }: { question: string; near: Source[]; onOpen: (source: Source) => void }) {
  const t = useT();
  return (
    <section className={css.card}>
      <h3>{t("source.noneTitle")}</h3>
      <p>{t("source.noneHint")}</p>
      <div className={css.actions}>
        <LinkButton to="/knowledge" variant="default" size="sm" leftSection={<FilePlus2 size={16} />}>{t("source.noneAdd")}</LinkButton>
        <LinkButton to="/search" search={{ q: question }} variant="default" size="sm" leftSection={<Search size={16} />}>{t("source.noneSearch")}</LinkButton>
      </div>
      {near.length > 0 && (
        <>
          <h4>{t("source.noneNear")}</h4>
          <ul>
            {near.slice(0, 3).map((source) => (
              <li key={source.n}>
                <button type="button" onClick={() => onOpen(source)} dir="auto">{source.document_name}</button>
                <p className={css.quote} dir="auto">{whole(quoteOf(source))}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
