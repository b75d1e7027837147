/** A failed request: what happened and the button that tries again. One that no server answered goes away when it is back. */
import { Button } from "@mantine/core";
import { ApiError, isUnanswered } from "~/api/http";
import { useBack } from "~/hooks/back";
import { useT } from "~/i18n";
import { Notice } from "./Notice";

/** `onBack`: what is done when the server answers again; without it that is `retry`. */
export function Problem({ error, retry, onBack = retry }: { error: unknown; retry?: () => void; onBack?: () => void }) {
  const t = useT();
  const back = useBack(error, onBack);
  if (back) return null;
  const again = retry && <Button size="compact-sm" variant="default" onClick={retry}>{t("app.retry")}</Button>;
  if (isUnanswered(error)) return <Notice tone="error" live title={t("app.unreachable")} action={again}>{t("app.unreachableHint")}</Notice>;
  const known = error instanceof ApiError;
  const missing = known && error.status === 404;
  const detail = known ? error.message : String((error as Error)?.message ?? error);
  return (
    <Notice tone="error" live title={t(missing ? "app.notFound" : "app.failed")} action={!missing && again}>
      {missing ? t("app.notFoundHint") : t("app.failedHint", { detail })}
      {known && error.problem.error_id && <div className="quiet">{t("end.errorId", { id: error.problem.error_id })}</div>}
    </Notice>
  );
}
