/** `[n]`: a chip that shows its passage and opens it; a number without a passage is flagged and opens nothing. */
import { Popover } from "@mantine/core";
import { useRef, useState } from "react";
import type { Source } from "~/api/types";
import { useT } from "~/i18n";
import { place } from "~/components/source/place";
import { quoteOf } from "~/state/citations";
import { hung, whole } from "~/state/joined";
import { useCiting } from "./SourcesContext";
import css from "./Citation.module.css";

export function Citation({ n }: { n: number }) {
  const t = useT();
  const { sources, settled } = useCiting();
  const source = sources.find((item) => item.n === n);
  if (source) return <Chip source={source} />;
  if (!settled) return <span className={css.pending}>[{n}]</span>;
  return <span className={css.unsupported} title={t("source.unsupported", { n })}>[{n}]<span className="visually-hidden"> {t("source.unsupported", { n })}</span></span>;
}

/** An answer has dozens of them: until it is first looked at, each is no more than its button. */
function Chip({ source }: { source: Source }) {
  const t = useT();
  const { open, settled } = useCiting();
  // How well a passage supports its sentence is known when the sentence stands.
  const support = settled ? source.support : "strong";
  const [used, setUsed] = useState(false);
  const [shown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (delay: number) => { setUsed(true); clearTimeout(timer.current); timer.current = setTimeout(() => setShown(true), delay); };
  const hide = () => { clearTimeout(timer.current); timer.current = setTimeout(() => setShown(false), 80); };
  return (
    <span className={css.hold}>
      <button
        type="button" className={css.chip} data-support={support} aria-label={t("source.open", { n: source.n, name: source.document_name })}
        onClick={() => { hide(); setShown(false); open(source); }} onMouseEnter={() => show(120)} onMouseLeave={hide} onBlur={hide}
        // A focus that comes from nowhere is one given back by a closed panel: what was just read is not shown again.
        onFocus={(event) => { if (event.relatedTarget) show(0); }}
        onKeyDown={(event) => { if (event.key === "Escape") setShown(false); }}
      >
        {source.n}
      </button>
      {used && <Card source={source} support={support} shown={shown} onEnter={() => show(0)} onLeave={hide} />}
    </span>
  );
}

function Card({ source, support, shown, onEnter, onLeave }: { source: Source; support: Source["support"]; shown: boolean; onEnter: () => void; onLeave: () => void }) {
  const t = useT();
  return (
    <Popover opened={shown} position="top" withArrow shadow="md" width={340} trapFocus={false} returnFocus={false} withRoles={false} transitionProps={{ duration: 120 }}>
      <Popover.Target><span className={css.anchor} aria-hidden="true" /></Popover.Target>
      <Popover.Dropdown className={css.card} onMouseEnter={onEnter} onMouseLeave={onLeave}>
        <p className={css.name} dir="auto">{source.document_name}</p>
        <p className={css.place}>{place(source, t)}</p>
        <blockquote className={css.quote} dir="auto">{whole(hung(quoteOf(source)))}</blockquote>
        {support !== "strong" && <p className={css.weak}>{t(`source.why.${support}`)}</p>}
      </Popover.Dropdown>
    </Popover>
  );
}
