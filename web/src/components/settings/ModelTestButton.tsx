/** Sends one short request to a model and says what came back. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { api } from "~/api/client";
import { useT } from "~/i18n";
import css from "./ModelTestButton.module.css";

export function ModelTestButton({ model }: { model: string }) {
  const t = useT();
  const test = useMutation({ mutationFn: () => api.testModel(model) });
  const result = test.data;
  return (
    <span className={css.test}>
      <Button size="compact-sm" variant="default" loading={test.isPending} onClick={() => test.mutate()} aria-label={`${t("settings.test")}: ${model}`}>{t("settings.test")}</Button>
      <span role="status" className={css.result} data-bad={(result && !result.ok) || test.isError || undefined}>
        {result?.ok && <><Check size={15} aria-hidden="true" />{t("settings.testOk", { ms: Math.round(result.latency_ms) })}</>}
        {result && !result.ok && <><TriangleAlert size={15} aria-hidden="true" />{t("settings.testFailed", { detail: result.detail ?? "" })}</>}
        {test.isError && <><TriangleAlert size={15} aria-hidden="true" />{t("settings.testFailed", { detail: test.error.message })}</>}
      </span>
    </span>
  );
}
