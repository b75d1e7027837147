/** A cost in words. An unknown price is unknown, not nothing. */
import type { Usage } from "~/api/types";
import type { Translator } from "~/i18n";

export function costText(usage: Usage | null | undefined, t: Translator): string | null {
  const cost = usage?.cost;
  if (!cost) return null;
  const amount = Number(cost.amount);
  if (!cost.complete && amount === 0) return t("runs.costUnknown");
  const text = amount === 0 ? t("runs.costFree") : t.number(amount, { style: "currency", currency: cost.currency, maximumFractionDigits: amount < 0.1 ? 4 : 2 });
  return cost.complete ? text : t("runs.costAtLeast", { cost: text });
}

/** What a run has used, once its first model call has told it: a run that has just begun is not one that costs nothing. */
export const spent = (usage: Usage | null | undefined) => (usage && (usage.input_tokens > 0 || usage.output_tokens > 0) ? usage : null);
