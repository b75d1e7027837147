/** Limits of the next questions of this browser. An empty field leaves it to the server. */
import { NumberInput, TextInput } from "@mantine/core";
import { usePreferences, useT } from "~/i18n";
import { prefer, type RunLimits } from "~/state/preferences";
import css from "./RunSettings.module.css";

const value = (input: string | number) => (input === "" ? undefined : Number(input));

export function RunSettings() {
  const t = useT();
  const { limits } = usePreferences();
  const set = (change: Partial<RunLimits>) => prefer({ limits: Object.fromEntries(Object.entries({ ...limits, ...change }).filter(([, item]) => item !== undefined)) });
  const empty = t("runs.default");
  const currency = limits.budget?.currency ?? "CHF";
  return (
    <div className={css.settings}>
      <NumberInput label={t("runs.maxRounds")} placeholder={empty} min={1} max={100} allowDecimal={false} value={limits.max_rounds ?? ""} onChange={(input) => set({ max_rounds: value(input) })} />
      <NumberInput label={t("runs.maxCalls")} placeholder={empty} min={1} max={100} allowDecimal={false} value={limits.max_calls_per_round ?? ""} onChange={(input) => set({ max_calls_per_round: value(input) })} />
      <NumberInput label={t("runs.temperature")} placeholder={empty} min={0} max={2} step={0.1} value={limits.temperature ?? ""} onChange={(input) => set({ temperature: value(input) })} />
      <NumberInput label={t("runs.budget")} placeholder={empty} min={0} step={0.05} decimalScale={4} value={limits.budget?.amount ?? ""} onChange={(input) => set({ budget: input === "" || Number(input) <= 0 ? undefined : { amount: Number(input), currency } })} />
      <TextInput label={t("runs.currency")} maxLength={3} value={currency} disabled={!limits.budget} onChange={(event) => limits.budget && set({ budget: { ...limits.budget, currency: event.currentTarget.value.toUpperCase() } })} />
      <p className="quiet">{t("runs.settingsHint")}</p>
    </div>
  );
}
