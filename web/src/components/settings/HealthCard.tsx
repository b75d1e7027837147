/** Whether the server and its parts answer. */
import { Check, TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { Problem } from "~/components/common/Problem";
import { useHealth } from "~/hooks/data";
import { type Translator, useT } from "~/i18n";
import css from "./HealthCard.module.css";

const good = "ok";

function facts(value: unknown, t: Translator): string[] {
  if (value && typeof value === "object") {
    const { status, detail, ...rest } = value as Record<string, unknown>;
    return [t.maybe(`health.is.${String(status)}`, String(status ?? "")), detail, ...Object.entries(rest).map(([name, item]) => `${name}: ${typeof item === "object" ? JSON.stringify(item) : String(item)}`)].filter(Boolean).map(String);
  }
  return [t.maybe(`health.is.${value === true ? good : String(value)}`, String(value))];
}

export function HealthCard() {
  const t = useT();
  const health = useHealth();
  if (health.isError) return <Problem error={health.error} retry={() => void health.refetch()} />;
  if (!health.data) return null;
  const fine = health.data.status === good;
  return (
    <div className={css.card}>
      <p className={css.head} data-bad={!fine || undefined}>{fine ? <Check size={17} aria-hidden="true" /> : <TriangleAlert size={17} aria-hidden="true" />}{t(fine ? "settings.healthOk" : "settings.healthBad")}<span className="quiet">{t("settings.version", { version: health.data.version })}</span></p>
      <dl>
        {Object.entries(health.data.checks ?? {}).map(([name, value]) => <div key={name}><dt>{t.maybe(`health.${name}`, name)}</dt><dd>{facts(value, t).map((fact, at, all) => <Fragment key={at}><span>{fact}{at < all.length - 1 && "\u00a0·"}</span> </Fragment>)}</dd></div>)}
      </dl>
    </div>
  );
}
