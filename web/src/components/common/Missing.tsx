/** A page whose address names what is not there: said, with the ways on. Any other failure can be tried again. */
import { ApiError } from "~/api/http";
import { useT } from "~/i18n";
import { LinkButton } from "./links";
import { Page } from "./Page";
import { Problem } from "./Problem";
import css from "./Missing.module.css";

interface Properties { error: unknown; retry?: () => void; to: "/runs" | "/knowledge"; label: string }

/** `to`: where the others of its kind are. */
export function Missing({ error, retry, to, label }: Properties) {
  const t = useT();
  const missing = error === null || (error instanceof ApiError && (error.status === 404 || error.status === 422));
  return (
    <Page title={t(missing ? "app.notFound" : "app.failed")} lead={missing && t("app.notFoundHint")}>
      {!missing && <Problem error={error} retry={retry} />}
      <div className={css.ways}><LinkButton to={to} variant="default">{label}</LinkButton><LinkButton to="/" variant="default">{t("app.home")}</LinkButton></div>
    </Page>
  );
}
