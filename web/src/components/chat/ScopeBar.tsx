/** Above the composer's field: what the next question may use and whether anything may leave this machine. */
import { Checkbox, Popover, Switch, UnstyledButton } from "@mantine/core";
import { ChevronDown, Globe, Library, Lock, LockOpen } from "lucide-react";
import type { KnowledgeBase, ModelInfo } from "~/api/types";
import { useT } from "~/i18n";
import type { Preferences } from "~/state/preferences";
import { ModelPicker } from "./ModelPicker";
import css from "./ScopeBar.module.css";

interface Properties {
  chosen: Preferences; bases: KnowledgeBase[]; models: ModelInfo[]; model: ModelInfo | null; web: boolean;
  onChange: (change: Partial<Preferences>) => void; onWeb: (allowed: boolean) => void;
}

export function ScopeBar({ chosen, bases, models, model, web, onChange, onWeb }: Properties) {
  const t = useT();
  return (
    <div className={css.bar} role="group" aria-label={t("scope.label")}>
      <Knowledge chosen={chosen} bases={bases} onChange={onChange} />
      <ModelPicker models={models} model={model} onPick={(name) => onChange({ model: name })} />
      <UnstyledButton className={css.item} data-web={web || undefined} aria-pressed={web} onClick={() => onWeb(!web)} title={t("scope.webHint")} aria-label={t(web ? "scope.webOn" : "scope.webOff")}>
        <Globe size={15} aria-hidden="true" /><span>{t("scope.web")}</span>
      </UnstyledButton>
      <span className={css.space} />
      <Leaves model={model} web={web} />
    </div>
  );
}

function Knowledge({ chosen, bases, onChange }: Pick<Properties, "chosen" | "bases" | "onChange">) {
  const t = useT();
  const known = chosen.knowledgeBases?.filter((id) => bases.some((base) => base.id === id)) ?? null;
  const label = !chosen.useKnowledge
    ? t("scope.none")
    : known === null || known.length === 0
      ? t("scope.all")
      : known.length === 1 ? (bases.find((base) => base.id === known[0])?.name ?? "") : t("scope.some", { count: known.length });
  const toggle = (id: string) => {
    const next = known?.includes(id) ? known.filter((item) => item !== id) : [...(known ?? []), id];
    onChange({ knowledgeBases: next.length ? next : null });
  };
  return (
    <Popover position="top-start" shadow="md" width={290} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={css.item} aria-label={`${t("scope.bases")}: ${label}`}>
          <Library size={15} aria-hidden="true" /><span className={css.cut} dir="auto">{label}</span><ChevronDown size={14} aria-hidden="true" />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={css.dropdown}>
        <Switch label={t("scope.use")} checked={chosen.useKnowledge} onChange={(event) => onChange({ useKnowledge: event.currentTarget.checked })} />
        {chosen.useKnowledge && bases.length > 0 && (
          <div className={css.list}>
            <Checkbox label={t("scope.allBases")} checked={!known?.length} onChange={() => onChange({ knowledgeBases: null })} />
            {bases.map((base) => (
              <Checkbox
                key={base.id} checked={known?.includes(base.id) ?? false} onChange={() => toggle(base.id)}
                label={<span dir="auto">{base.name} <span className="quiet number">{t.number(base.document_count)}</span></span>}
              />
            ))}
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Leaves({ model, web }: { model: ModelInfo | null; web: boolean }) {
  const t = useT();
  const remote = model !== null && !model.local;
  const leaves = remote || web;
  return (
    <Popover position="top-end" shadow="md" width={270} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={css.item} data-leaves={leaves || undefined}>
          {leaves ? <LockOpen size={15} aria-hidden="true" /> : <Lock size={15} aria-hidden="true" />}
          <span className={css.leaves}>{t(leaves ? "scope.leaves" : "scope.stays")}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={css.dropdown}>
        {!leaves && <p>{t("scope.staysHint")}</p>}
        {remote && <p>{t("scope.leavesModel", { provider: model.provider })}</p>}
        {web && <p>{t("scope.leavesWeb")}</p>}
      </Popover.Dropdown>
    </Popover>
  );
}
