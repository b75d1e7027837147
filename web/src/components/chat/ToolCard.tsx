/** One tool call: a line while all is well, its whole story when opened. Opens by itself when it failed. */
import { Collapse, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { memo, useId, useMemo, useState } from "react";
import { api } from "~/api/client";
import type { Step } from "~/api/types";
import { CopyButton } from "~/components/common/CopyButton";
import { useCiting } from "~/components/markdown/SourcesContext";
import { useT } from "~/i18n";
import { showControls } from "~/state/controls";
import { indentJson } from "~/state/json";
import { readResult } from "~/state/stepResult";
import { argumentLine } from "~/state/stepWords";
import { isFailure } from "~/state/steps";
import { StepResult } from "./StepResult";
import { StepStatus } from "./StepStatus";
import { toolIcon } from "./toolIcon";
import { NetworkBadge } from "./NetworkBadge";
import css from "./ToolCard.module.css";

export const ToolCard = memo(function ToolCard({ step, runId }: { step: Step; runId: string }) {
  const t = useT();
  const failed = isFailure(step);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const opened = chosen ?? failed;
  const id = useId();
  const Icon = toolIcon(step.tool);
  const { sources } = useCiting();
  return (
    <div className={css.card} data-status={step.blocked ? "failed" : step.status} data-open={opened || undefined}>
      <UnstyledButton className={css.line} onClick={() => setChosen(!opened)} aria-expanded={opened} aria-controls={id}>
        <Icon size={16} aria-hidden="true" className={css.icon} />
        <span className={css.name}>{t.maybe(`tool.${step.tool}`, step.tool)}</span>
        <span className={css.arguments} dir="auto">{argumentLine(step, t, sources)}</span>
        {step.network && <NetworkBadge />}
        {step.blocked && <span className={css.flag} data-bad>{t("tool.blocked")}</span>}
        {step.cached && <span className={css.flag}>{t("tool.cached")}</span>}
        <Time step={step} />
        <span className={css.status}><StepStatus step={step} /></span>
        <ChevronRight size={15} className={css.chevron} aria-hidden="true" />
      </UnstyledButton>
      <Collapse expanded={opened} id={id} transitionDuration={160}>
        {opened && <Details step={step} runId={runId} />}
      </Collapse>
    </div>
  );
});

function Time({ step }: { step: Step }) {
  const t = useT();
  return <span className={css.time}>{step.duration_ms !== null && step.duration_ms !== undefined ? t.duration(step.duration_ms) : ""}</span>;
}

const pretty = (text: string) => showControls(indentJson(text));

/** What went wrong in the tool's own words, where the result is nothing but that. */
function errorOf(step: Step): string | null {
  try {
    const value: unknown = JSON.parse(step.preview);
    if (value && typeof value === "object" && "error" in value && Object.keys(value).length === 1) return showControls(String(value.error));
  } catch {
    // Not one JSON object: shown as it is.
  }
  return step.error && !step.preview ? step.error : null;
}

function Details({ step, runId }: { step: Step; runId: string }) {
  const t = useT();
  const [asked, setAsked] = useState(false);
  const [json, setJson] = useState(false);
  const said = errorOf(step);
  const preview = useMemo(() => readResult(step.preview), [step.preview]);
  // The preview is only the beginning of a longer result; what was cut for the model too is asked for by hand.
  const whole = asked || (preview !== null && !preview.whole && !step.truncated);
  const artifact = useQuery({
    queryKey: ["artifact", runId, step.artifact_id], queryFn: () => api.artifact(runId, step.artifact_id ?? ""), enabled: whole && Boolean(step.artifact_id), staleTime: Infinity,
  });
  const raw = artifact.data ?? step.preview;
  const shown = useMemo(() => readResult(raw)?.result, [raw]);
  const args = showControls(JSON.stringify(step.arguments ?? {}, null, 2));
  return (
    <div className={css.details}>
      {said !== null ? <p className={css.error} dir="auto">{said}</p> : shown ? <StepResult result={shown} /> : <p className="quiet">{t("tool.noResult")}</p>}
      <div className={css.foot}>
        {step.truncated && !artifact.data && <span className={css.flag}>{t("tool.truncated")}</span>}
        {step.truncated && step.artifact_id && artifact.data === undefined && <button type="button" className={css.link} onClick={() => setAsked(true)} disabled={artifact.isFetching}>{t("tool.whole")}</button>}
        <button type="button" className={css.link} aria-expanded={json} onClick={() => setJson(!json)}>{t(json ? "step.hideJson" : "step.json")}</button>
      </div>
      {json && (
        <>
          <div className={css.head}><h4>{t("tool.arguments")}</h4><CopyButton text={() => args} /></div>
          <pre tabIndex={0} dir="ltr">{args}</pre>
          {raw && (
            <>
              <div className={css.head}>
                <h4>{t("tool.result")}</h4>
                <span className={css.size}>{t("tool.size", { size: t.bytes(new Blob([raw]).size) })}</span>
                <CopyButton text={() => pretty(raw)} />
              </div>
              <pre tabIndex={0} dir="auto">{pretty(raw)}</pre>
            </>
          )}
        </>
      )}
    </div>
  );
}
