/** The first visit: three real actions, each showing what is there and what is missing, then the first question. */
import { Button, Loader } from "@mantine/core";
import { BookOpen, Check, Cpu, FilePlus2, FolderUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api } from "~/api/client";
import { FilePicker } from "~/components/common/FilePicker";
import { LinkButton } from "~/components/common/links";
import { Problem } from "~/components/common/Problem";
import { UploadList } from "~/components/knowledge/UploadList";
import { useBases, useChange, useModels } from "~/hooks/data";
import { queryClient, uploads, useUploads } from "~/hooks/live";
import { usePreferences, useT } from "~/i18n";
import { ownBase } from "~/state/sampleBase";
import { prefer } from "~/state/preferences";
import type { Picked } from "~/state/uploadQueue";
import { ModelTestButton } from "~/components/settings/ModelTestButton";
import { FirstStep } from "./FirstStep";
import { useSample } from "./useSample";
import css from "./FirstStart.module.css";

export function FirstStart({ onAsk }: { onAsk: (text: string) => void }) {
  const t = useT();
  const sample = useChange(api.sampleKnowledgeBase, "knowledge-bases");
  const progress = useSample(sample.data?.id);
  return (
    <div className={css.first}>
      <h2>{t("first.title")}</h2>
      <p className={css.lead}>{t("first.lead")}</p>
      <ol className={css.steps}>
        <AddDocuments />
        <FirstStep icon={progress ? <Loader size={19} /> : <BookOpen size={19} />} title={t("first.sample")} done={progress?.done ?? false} text={progress?.text ?? t("first.sampleHint")}>
          {!sample.isSuccess && <Button variant="default" loading={sample.isPending} onClick={() => sample.mutate(undefined)}>{t("first.sampleButton")}</Button>}
          {sample.isError && <Problem error={sample.error} />}
        </FirstStep>
        <ConnectModel />
      </ol>
      {progress?.askable && <Examples onAsk={onAsk} />}
    </div>
  );
}

function AddDocuments() {
  const t = useT();
  const bases = useBases();
  const running = useUploads();
  const [error, setError] = useState<unknown>(null);
  const own = ownBase(bases.data?.items ?? [], t);
  const ready = running.filter((item) => item.stage === "ready").length;
  const add = async (files: Picked[]) => {
    try {
      const base = own ?? (await api.createKnowledgeBase({ name: t("kb.firstName") }));
      uploads.add(base.id, files, "replace");
      await queryClient.invalidateQueries({ queryKey: ["knowledge-bases"] });
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <FirstStep icon={<FilePlus2 size={19} />} title={t("first.documents")} done={ready > 0} text={ready > 0 ? t("first.documentsDone", { count: ready }) : `${t("first.documentsHint")} ${t("first.documentsInto", { name: own?.name ?? t("kb.firstName") })}`}>
      <FilePicker variant="filled" onPick={(files) => void add(files)}>{t("first.documentsButton")}</FilePicker>
      <FilePicker folder icon={<FolderUp size={16} />} onPick={(files) => void add(files)}>{t("first.folderButton")}</FilePicker>
      {error !== null && <Problem error={error} />}
      {running.length > 0 && <div className={css.uploads}><UploadList /></div>}
    </FirstStep>
  );
}

function ConnectModel() {
  const t = useT();
  const models = useModels();
  const { model: chosen } = usePreferences();
  const found = (models.data?.items ?? []).filter((item) => item.kind !== "builtin" && item.provider !== "builtin");
  return (
    <FirstStep icon={<Cpu size={19} />} title={t("first.model")} done={found.length > 0} text={found.length ? t("first.modelFound", { count: found.length }) : t("first.modelNone")}>
      {found.slice(0, 3).map((model) => (
        <div key={model.name} className={css.model}>
          <span>{model.name}</span>
          <Button size="compact-sm" variant={chosen === model.name ? "light" : "default"} aria-pressed={chosen === model.name} leftSection={chosen === model.name && <Check size={14} />} onClick={() => prefer({ model: model.name })}>{t(chosen === model.name ? "first.modelUsed" : "first.modelUse")}</Button>
          <ModelTestButton model={model.name} />
        </div>
      ))}
      <LinkButton to="/settings" hash="connect" variant="default">{t("first.modelHow")}</LinkButton>
    </FirstStep>
  );
}

function Examples({ onAsk }: { onAsk: (text: string) => void }) {
  const t = useT();
  const place = useRef<HTMLElement>(null);
  // What comes next stands below what was just clicked: in a low window it is brought into view.
  useEffect(() => { place.current?.scrollIntoView({ block: "nearest", behavior: "smooth" }); }, []);
  return (
    <section ref={place} className={css.examples}>
      <h3>{t("first.examples")}</h3>
      {(["first.example1", "first.example2", "first.example3"] as const).map((key) => (
        <button key={key} type="button" onClick={() => onAsk(t(key))}>{t(key)}</button>
      ))}
    </section>
  );
}
