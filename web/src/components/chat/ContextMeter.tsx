/** How full the model's window is, and of what. */
import { LatePopover } from "~/components/common/LatePopover";
import { useT } from "~/i18n";
import type { Round } from "~/state/runState";
import css from "./ContextMeter.module.css";

export function ContextMeter({ rounds }: { rounds: Round[] }) {
  const t = useT();
  const round = rounds.findLast((item) => item.context);
  const context = round?.context;
  if (!round || !context) return null;
  const part = context.limit ? Math.min(1, context.tokens / context.limit) : 0;
  const summary = context.limit
    ? t("context.of", { tokens: context.tokens, limit: context.limit }) : t("context.tokens", { tokens: context.tokens });
  return (
    <LatePopover
      position="top-end" withArrow className={css.card}
      button={{
        className: css.meter, "aria-label": `${t("context.label")}: ${summary}`,
        children: (
          <>
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <circle cx="8" cy="8" r="6" className={css.track} />
              <circle cx="8" cy="8" r="6" className={css.value} data-full={part > 0.85 || undefined} pathLength={100} strokeDasharray={`${part * 100} 100`} transform="rotate(-90 8 8)" />
            </svg>
            <span>{t("context.tokens", { tokens: context.tokens })}</span>
          </>
        ),
      }}
    >
      <strong>{t("context.label")}</strong> <span className="quiet">{t("context.round", { round: round.round })}</span>
      <p>{summary}</p>
      <table>
        <thead><tr><th>{t("context.layer")}</th><th>{t("runs.tokens")}</th><th>{t("context.items")}</th><th>{t("context.leftOut")}</th></tr></thead>
        <tbody>
          {context.layers.map((layer) => (
            <tr key={layer.name} data-left={layer.left_out > 0 || undefined}>
              <td>{t.maybe(`context.layer.${layer.name}`, layer.name)}</td><td>{t.number(layer.tokens)}</td><td>{t.number(layer.items)}</td><td>{t.number(layer.left_out)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">{context.limit ? t("context.window", { limit: context.limit }) : t("context.windowUnknown")}</p>
    </LatePopover>
  );
}
