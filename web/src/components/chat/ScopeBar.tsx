/** Above the composer's field: what the next question may use and whether anything may leave this machine. */
import { Checkbox, Switch, UnstyledButton } from "@mantine/core";
import { ChevronDown, Globe, Library, Lock, LockOpen } from "lucide-react";
import type { KnowledgeBase, ModelInfo } from "~/api/types";
import { LatePopover } from "~/components/common/LatePopover";
import { useT } from "~/i18n";
import type { Preferences } from "~/state/preferences";
import { ModelPicker } from "./ModelPicker";
import css from "./ScopeBar.module.css";

/** `settled`: bases and models are known. Before, their names would come in and move what is being clicked: the bar only keeps its place. */
interface Properties {
  settled: boolean; chosen: Preferences; bases: KnowledgeBase[]; models: ModelInfo[]; model: ModelInfo | null; web: boolean;
  onChange: (change: Partial<Preferences>) => void; onWeb: (allowed: boolean) => void;
}

export function ScopeBar({ settled, chosen, bases, models, model, web, onChange, onWeb }: Properties) {
  const t = useT();
  return (
    <div className={css.bar} data-settled={settled} role="group" aria-label={t("scope.label")}>
      <div className={css.pair}>
        <Knowledge chosen={chosen} bases={bases} onChange={onChange} />
        <ModelPicker models={models} model={model} onPick={(name) => onChange({ model: name })} />
      </div>
      <div className={css.pair}>
        <UnstyledButton className={css.item} data-web={web || undefined} aria-pressed={web} onClick={() => onWeb(!web)} title={t("scope.webHint")} aria-label={t(web ? "scope.webOn" : "scope.webOff")}>
          <Globe size={15} aria-hidden="true" /><span>{t("scope.web")}</span>
        </UnstyledButton>
        <span className={css.space} />
        <Leaves model={model} web={web} />
      </div>
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
    <LatePopover
      position="top-start" width={290} className={css.dropdown}
      button={{ className: css.item, "aria-label": `${t("scope.bases")}: ${label}`, children: <><Library size={15} aria-hidden="true" /><span className={css.cut} dir="auto">{label}</span><ChevronDown size={14} aria-hidden="true" /></> }}
    >
      <Switch label={t("scope.use")} checked={chosen.useKnowledge} onChange={(event) => onChange({ useKnowledge: event.currentTarget.checked })} />
      {chosen.useKnowledge && bases.length > 0 && (
        <div className={css.list}>
          <Checkbox label={t("scope.allBases")} checked={!known?.length} onChange={() => onChange({ knowledgeBases: null })} />
          {bases.map((base) => (
            <Checkbox
              key={base.id} checked={known?.includes(base.id) ?? false} onChange={() => toggle(base.id)}
              label={<span dir="auto">{base.name} <span className="quiet number">{t.number(base.document_count - base.failed_count)}</span></span>}
            />
          ))}
        </div>
      )}
    </LatePopover>
  );
}

function Leaves({ model, web }: { model: ModelInfo | null; web: boolean }) {
  const t = useT();
  const remote = model !== null && !model.local;
  const leaves = remote || web;
  return (
    <LatePopover
      position="top-end" width={270} className={css.dropdown}
      button={{ className: css.item, "data-leaves": leaves || undefined, children: <>{leaves ? <LockOpen size={15} aria-hidden="true" /> : <Lock size={15} aria-hidden="true" />}<span className={css.leaves}>{t(leaves ? "scope.leaves" : "scope.stays")}</span></> }}
    >
      {!leaves && <p>{t("scope.staysHint")}</p>}
      {remote && <p>{t("scope.leavesModel", { provider: model.provider })}</p>}
      {web && <p>{t("scope.leavesWeb")}</p>}
    </LatePopover>
  );
}
