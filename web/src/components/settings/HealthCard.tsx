/** Whether the server and its parts answer. */
import { Check, TriangleAlert } from "lucide-react";
import { Problem } from "~/components/common/Problem";
import { useHealth } from "~/hooks/data";
import { useT } from "~/i18n";
import css from "./HealthCard.module.css";

function words(value: unknown): string {
  if (value && typeof value === "object") {
    const { status, detail, ...rest } = value as Record<string, unknown>;
    return [status, detail, ...Object.entries(rest).map(([name, item]) => `${name}: ${typeof item === "object" ? JSON.stringify(item) : String(item)}`)].filter(Boolean).map(String).join(" · ");
  }
  return value === true ? "ok" : String(value);
}

export function HealthCard() {
  const t = useT();
  const health = useHealth();
  if (health.isError) return <Problem error={health.error} retry={() => void health.refetch()} />;
  if (!health.data) return null;
  const good = health.data.status === "ok";
  return (
    <div className={css.card}>
      <p className={css.head} data-bad={!good || undefined}>{good ? <Check size={17} aria-hidden="true" /> : <TriangleAlert size={17} aria-hidden="true" />}{t(good ? "settings.healthOk" : "settings.healthBad")}<span className="quiet">{t("settings.version", { version: health.data.version })}</span></p>
      <dl>
        {Object.entries(health.data.checks ?? {}).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{words(value)}</dd></div>)}
      </dl>
    </div>
  );
}
