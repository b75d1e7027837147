/** Search without a model: mode, filters, and each hit with its scores; a hit opens in its document. */
import { Button, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "~/api/client";
import type { Hit, KnowledgeBase, SearchMode, Source } from "~/api/types";
import { Empty } from "~/components/common/Empty";
import { Notice } from "~/components/common/Notice";
import { Page } from "~/components/common/Page";
import { Problem } from "~/components/common/Problem";
import { HitCard } from "~/components/knowledge/HitCard";
import { ScoreFilter } from "~/components/knowledge/ScoreFilter";
import { SourcePanel } from "~/components/source/SourcePanel";
import { useBases } from "~/hooks/data";
import { useOpened } from "~/hooks/opened";
import { useT } from "~/i18n";
import { lowScore } from "~/state/citations";
import { fileTypes, readAddress, requestOf, type SearchAddress, unfiltered } from "~/state/searchAddress";
import css from "./SearchPage.module.css";

export const asSource = (hit: Hit, n: number): Source => ({ ...hit, n, quote: hit.text, quotes: [], support: "strong" });

export function SearchPage({ given }: { given: SearchAddress }) {
  const t = useT();
  const navigate = useNavigate();
  const bases = useBases();
  const q = given.q ?? "";
  const [words, setWords] = useState(q);
  const [opened, open, close] = useOpened<Hit>();
  const request = requestOf(given);
  const choose = (change: SearchAddress) => void navigate({ to: "/search", search: readAddress({ ...given, ...change }), replace: true });
  const result = useQuery({ queryKey: ["search", request], queryFn: ({ signal }) => api.search(request, signal), enabled: q.trim() !== "", placeholderData: (previous) => previous });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: "/search", search: { ...given, q: words.trim() } });
  };
  const hits = result.data?.hits ?? [];
  const filters = useFilterNames(given, bases.data?.items ?? []);
  const weak = (hit: Hit) => hit.score < lowScore;
  const nothingFits = hits.length > 0 && hits.every(weak);
  const listOf = (items: Hit[]) => (
    <ol className={css.hits}>
      {items.map((hit) => <li key={hit.chunk_id}><HitCard hit={hit} query={q} current={opened?.chunk_id === hit.chunk_id} onOpen={() => open(hit)} /></li>)}
    </ol>
  );
  return (
    <div className={css.split} data-open={opened ? true : undefined}>
      <Page title={t("search.title")}>
        <form onSubmit={submit} role="search" className={css.form}>
          <TextInput
            className={css.words} size="md" type="search" leftSection={<Search size={18} />} placeholder={t("search.placeholder")} aria-label={t("search.title")} value={words}
            onChange={(event) => setWords(event.currentTarget.value)} autoFocus
          />
          <Button type="submit" size="md" className={css.go}><Search size={20} aria-hidden /><span className={css.word}>{t("search.button")}</span></Button>
        </form>
        <div className={css.filters} role="group" aria-label={t("search.filters")}>
          <SegmentedControl
            size="xs" aria-label={t("search.mode")} value={given.mode ?? "hybrid"} onChange={(value) => choose({ mode: value === "hybrid" ? undefined : (value as SearchMode) })}
            data={(["hybrid", "keyword", "vector"] as const).map((value) => ({ value, label: t(`search.${value}`) }))}
          />
          <Select size="xs" clearable className={css.pick} aria-label={t("search.base")} placeholder={t("search.allBases")} value={given.base ?? null} onChange={(base) => choose({ base: base ?? undefined })} data={(bases.data?.items ?? []).map((item) => ({ value: item.id, label: item.name }))} />
          <Select size="xs" clearable className={css.pick} aria-label={t("search.type")} placeholder={t("search.anyType")} value={given.type ?? null} onChange={(type) => choose({ type: type ?? undefined })} data={Object.entries(fileTypes).map(([value, { label }]) => ({ value, label }))} />
          <div className={css.limits}>
            <label className={css.since}>{t("search.since")} <input type="date" value={given.since ?? ""} onChange={(event) => choose({ since: event.target.value || undefined })} /></label>
            <ScoreFilter className={css.since} score={given.score} onChange={(score) => choose({ score })} />
          </div>
        </div>
        {q.trim() && result.isFetching && !result.data && <p className={css.took} role="status">{t("search.searching")}</p>}
        {result.isError && <Problem error={result.error} retry={() => void result.refetch()} />}
        {!q.trim() && <Empty icon={<Search size={22} />} title={t("search.emptyTitle")}>{t("search.empty")}</Empty>}
        {q.trim() && nothingFits && <div className={css.notice}><Notice tone="warning" live title={t("search.weakTitle")}>{t("search.weakHint")}</Notice></div>}
        {q.trim() && result.data && (
          <p className={css.took} role="status">
            {t(nothingFits ? "search.tookWeak" : "search.took", { count: hits.length, ms: Math.max(1, Math.round(result.data.took_ms)) })} · {result.data.used_modes.map((item) => t.maybe(`search.${item}`, item)).join(" + ")}
          </p>
        )}
        {q.trim() && result.data?.notices.map((notice) => <div key={notice} className={css.notice}><Notice tone="info">{t.maybe(`notice.text.${notice}`, notice)}</Notice></div>)}
        {q.trim() && result.isSuccess && !hits.length && (
          <Empty icon={<Search size={22} />} title={t("search.nothing")} actions={filters.length > 0 && <Button variant="default" onClick={() => void navigate({ to: "/search", search: unfiltered(given), replace: true })}>{t("search.clear")}</Button>}>
            {filters.length ? t("search.nothingFilters", { filters: filters.join(" · ") }) : t("search.nothingHint")}
          </Empty>
        )}
        {q.trim() && listOf(hits.filter((hit) => !weak(hit)))}
        {q.trim() && hits.some(weak) && (
          <details className={css.weak}>
            <summary>{t("search.weak", { count: hits.filter(weak).length })}</summary>
            {listOf(hits.filter(weak))}
          </details>
        )}
      </Page>
      {opened && <div className={css.panel}><SourcePanel sources={hits.map((hit, index) => asSource(hit, index + 1))} text="" current={asSource(opened, hits.indexOf(opened) + 1)} onOpen={(source) => (source ? undefined : close())} onClose={close} /></div>}
    </div>
  );
}

/** What keeps passages out, each in words. */
function useFilterNames({ base, type, since, score }: SearchAddress, bases: KnowledgeBase[]): string[] {
  const t = useT();
  return [
    base ? (bases.find((item) => item.id === base)?.name ?? t("app.notFound")) : null,
    type ? (fileTypes[type]?.label ?? type) : null,
    since ? `${t("search.since")} ${t.day(since)}` : null,
    score ? `${t("search.threshold")} ${t.number(score)}` : null,
  ].filter((name) => name !== null);
}
