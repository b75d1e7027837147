/** The models that can be used, as the server knows them. */
import { Skeleton } from "@mantine/core";
import type { ModelInfo } from "~/api/types";
import { LocalBadge } from "~/components/chat/LocalBadge";
import { toolSupport, windowOf } from "~/components/chat/ModelPicker";
import { Problem } from "~/components/common/Problem";
import { useModels } from "~/hooks/data";
import { type Translator, useT } from "~/i18n";
import { joined } from "~/state/joined";
import { ModelTestButton } from "./ModelTestButton";
import css from "./ModelTable.module.css";

function price(model: ModelInfo, t: Translator): string | null {
  if (!model.price) return model.local ? null : t("runs.costUnknown");
  const { input, output, currency, per_tokens: per = 1_000_000 } = model.price;
  if (input === 0 && output === 0) return t("runs.costFree");
  const amount = (value: number) => t.number((value * 1_000_000) / per, { style: "currency", currency });
  return t("settings.price", { input: amount(input), output: amount(output) });
}

const fine = new Set(["ok", "ready", "available", "configured"]);

export function ModelTable() {
  const t = useT();
  const models = useModels();
  if (models.isError) return <Problem error={models.error} retry={() => void models.refetch()} />;
  if (!models.data) return <Skeleton height={70} radius={14} />;
  return (
    <ul className={css.models}>
      {models.data.items.map((model) => (
        <li key={model.name}>
          <div className={css.text}>
            <div className={css.name}>{model.name} <LocalBadge local={model.local} />{models.data.default === model.name && <span className={css.default}>{t("settings.default")}</span>}</div>
            <div className={css.detail}>{joined([toolSupport(model, t), windowOf(model, t), price(model, t)])}</div>
            {!fine.has(model.status) && <div className={css.bad}>{model.status}{model.detail && `: ${model.detail}`}</div>}
          </div>
          <ModelTestButton model={model.name} />
        </li>
      ))}
    </ul>
  );
}
