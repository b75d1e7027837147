/** A failed request: what happened and the button that tries again. */
import { Button } from "@mantine/core";
import { ApiError } from "~/api/http";
import { useT } from "~/i18n";
import { Notice } from "./Notice";

export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useT();
  const known = error instanceof ApiError;
  const missing = known && error.status === 404;
  const detail = known ? error.message : String((error as Error)?.message ?? error);
  return (
    <Notice tone="error" live title={t(missing ? "app.notFound" : "app.failed")} action={retry && !missing && <Button size="compact-sm" variant="default" onClick={retry}>{t("app.retry")}</Button>}>
      {missing ? t("app.notFoundHint") : t("app.failedHint", { detail })}
      {known && error.problem.error_id && <div className="quiet">{t("end.errorId", { id: error.problem.error_id })}</div>}
    </Notice>
  );
}
