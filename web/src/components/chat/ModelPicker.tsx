/** Chooses the model of the next question; each with where it runs, whether it calls tools, and its window. */
import { Menu, UnstyledButton } from "@mantine/core";
import { Check, ChevronDown, Cpu } from "lucide-react";
import type { ModelInfo } from "~/api/types";
import { type Translator, useT } from "~/i18n";
import { joined } from "~/state/joined";
import { LocalBadge } from "./LocalBadge";
import bar from "./ScopeBar.module.css";
import css from "./ModelPicker.module.css";

export function toolSupport(model: ModelInfo, t: Translator): string {
  if (model.tools === "json_schema") return t("scope.toolsJson");
  return t(model.tools === true ? "scope.toolsYes" : model.tools === false ? "scope.toolsNo" : "scope.toolsUnknown");
}

export function windowOf(model: ModelInfo, t: Translator): string {
  return model.context_window ? t("scope.window", { tokens: model.context_window }) : t("scope.windowUnknown");
}

export function ModelPicker({ models, model, onPick }: { models: ModelInfo[]; model: ModelInfo | null; onPick: (name: string) => void }) {
  const t = useT();
  const label = model?.name.split("/").slice(1).join("/") || model?.name || t("scope.model");
  return (
    <Menu position="top-start" shadow="md" width={330}>
      <Menu.Target>
        <UnstyledButton className={bar.item} aria-label={`${t("scope.model")}: ${model?.name ?? ""}`}>
          <Cpu size={15} aria-hidden="true" /><span className={bar.cut}>{label}</span>
          {model && <LocalBadge local={model.local} />}
          <ChevronDown size={14} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={css.menu}>
        {models.map((item) => (
          <Menu.Item key={item.name} aria-current={item.name === model?.name || undefined} onClick={() => onPick(item.name)}>
            <span className={css.name}>{item.name} <LocalBadge local={item.local} />{item.name === model?.name && <Check size={16} className={css.chosen} aria-hidden="true" />}</span>
            <span className={css.detail}>{joined([toolSupport(item, t), windowOf(item, t)])}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
