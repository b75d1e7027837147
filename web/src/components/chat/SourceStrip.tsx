/** Under an answer: the documents it stands on; or, designed, that there are none. */
import { UnstyledButton } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import type { Source } from "~/api/types";
import { useT } from "~/i18n";
import { leadQuote, rankSources } from "~/state/citations";
import { hung, whole } from "~/state/joined";
import { place } from "~/components/source/place";
import css from "./SourceStrip.module.css";

interface Properties { sources: Source[]; text: string; onOpen: (source: Source) => void; onAll: () => void }

export function SourceStrip({ sources, text, onOpen, onAll }: Properties) {
  const t = useT();
  const ranked = rankSources(sources, text);
  const used = ranked.filter((item) => item.use !== "uncited");
  if (!ranked.length) return null;
  return (
    <div className={css.strip}>
      {used.map(({ source, use }) => (
        <UnstyledButton key={source.n} className={css.source} data-use={use} onClick={() => onOpen(source)} aria-label={t("source.open", { n: source.n, name: source.document_name })}>
          <span className={css.n}>{source.n}</span>
          <span className={css.text}>
            <span className={css.name} dir="auto">{source.document_name}</span>
            {place(source, t) && <span className={css.place} dir="auto">{place(source, t)}</span>}
            <span className={css.quote} dir="auto">{whole(hung(leadQuote(source, text)))}</span>
          </span>
        </UnstyledButton>
      ))}
      <UnstyledButton className={css.all} onClick={onAll}>{t("source.count", { count: ranked.length })}<ChevronRight size={15} aria-hidden="true" /></UnstyledButton>
    </div>
  );
}
