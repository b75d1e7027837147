/** Parts of the page that are loaded when needed. One that cannot be had says so in its place: a new version has replaced it, or the server is away. */
import { Button } from "@mantine/core";
import { type ComponentType, lazy, useEffect, useState } from "react";
import { api } from "~/api/client";
import { isUnanswered } from "~/api/http";
import { useT } from "~/i18n";
import { Notice } from "./Notice";
import { Problem } from "./Problem";
import css from "./late.module.css";

function Outdated() {
  const t = useT();
  const [away, setAway] = useState<unknown>(null);
  useEffect(() => { void api.health().catch(setAway); }, []);
  if (isUnanswered(away)) return <div className={css.outdated}><Problem error={away} onBack={() => location.reload()} /></div>;
  return (
    <div className={css.outdated}>
      <Notice tone="warning" live title={t("app.outdated")} action={<Button size="compact-sm" variant="default" onClick={() => location.reload()}>{t("app.reload")}</Button>}>{t("app.outdatedHint")}</Notice>
    </div>
  );
}

/** `load` as a component; `instead` stands there when it fails. `preload` fetches it before it is needed. */
export function late<P extends object>(load: () => Promise<ComponentType<P>>, instead: ComponentType<P> = Outdated) {
  const Part = lazy(async () => ({ default: await load().catch(() => instead) })) as ComponentType<P>;
  return Object.assign((properties: P) => <Part {...properties} />, { preload: async () => { await load().catch(() => undefined); } });
}
