/** Language, theme, time zone; models as configured, with a live test; how to connect another; health; the account. */
import { Button, type OptionsFilter, SegmentedControl, Select } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { api } from "~/api/client";
import { Command } from "~/components/common/Command";
import { Page } from "~/components/common/Page";
import { Connect } from "~/components/settings/Connect";
import { HealthCard } from "~/components/settings/HealthCard";
import { ModelTable } from "~/components/settings/ModelTable";
import { useHealth, useMe } from "~/hooks/data";
import { queryClient } from "~/hooks/live";
import { type Translator, usePreferences, useT } from "~/i18n";
import { namesIt } from "~/state/foldedWords";
import { type Language, languages, prefer, type Theme } from "~/state/preferences";
import css from "./SettingsPage.module.css";

const zones = () => (typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : ["UTC"]);
const byName: OptionsFilter = ({ options, search, limit }) => options.filter((option) => "label" in option && namesIt(String(option.label), search)).slice(0, limit);
/** A language's own name for itself; in a list it begins with a capital, also where it has none in a sentence. */
const own = (language: Language) => (new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language).replace(/^./u, (letter) => letter.toLocaleUpperCase(language));

/** The first account is called "owner" by the server; any other name is its owner's choice. */
const accountName = (name: string, t: Translator) => (name === "owner" ? t("signin.owner") : name);

export function SettingsPage() {
  const t = useT();
  const chosen = usePreferences();
  const me = useMe();
  const file = useHealth().data?.settings_file;
  const { hash } = useLocation();
  useEffect(() => { if (hash) document.getElementById(hash)?.scrollIntoView({ block: "start" }); }, [hash]);
  const system = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  return (
    <Page title={t("settings.title")}>
      <section className={css.section} aria-labelledby="look">
        <h2 id="look">{t("settings.look")}</h2>
        <div className={css.card}>
          <Select label={t("settings.language")} value={chosen.language} allowDeselect={false} onChange={(value) => value && prefer({ language: value as Language })} data={languages.map((value) => ({ value, label: own(value) }))} />
          <div>
            <div className={css.label} id="theme">{t("settings.theme")}</div>
            <SegmentedControl
              fullWidth aria-labelledby="theme" value={chosen.theme} onChange={(value) => prefer({ theme: value as Theme })}
              data={(["auto", "light", "dark"] as const).map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
            />
          </div>
          <Select
            label={t("settings.timezone")} description={t("settings.timezoneHint")} searchable filter={byName} allowDeselect={false} limit={60} nothingFoundMessage={t("settings.timezoneNone")} onFocus={(event) => event.currentTarget.select()} onClick={(event) => event.currentTarget.select()} value={chosen.timezone || "system"}
            onChange={(value) => prefer({ timezone: !value || value === "system" ? "" : value })}
            data={[{ value: "system", label: t("settings.timezoneSystem", { zone: system }) }, ...zones().map((value) => ({ value, label: value.replaceAll("_", " ") }))]}
          />
        </div>
      </section>
      <section className={css.section} aria-labelledby="models">
        <h2 id="models">{t("settings.models")}</h2>
        <p className={css.hint}>{t("settings.modelsHint")}</p>
        <ModelTable />
      </section>
      <section className={css.section} aria-labelledby="connect">
        <h2 id="connect">{t("settings.connect")}</h2>
        <p className={css.hint}>{t("settings.connectHint")}</p>
        {file && <div className={css.file}><span className={css.hint}>{t("settings.connectFile")}</span><Command>{file}</Command></div>}
        <Connect />
      </section>
      <section className={css.section} aria-labelledby="health">
        <h2 id="health">{t("settings.health")}</h2>
        <HealthCard />
      </section>
      <section className={css.section} aria-labelledby="account">
        <h2 id="account">{t("settings.account")}</h2>
        <div className={css.account}>
          <span dir="auto">{t("signin.as", { name: accountName(me.data?.user.name ?? "", t) })}</span>
          <Button variant="default" onClick={() => void api.signOut().then(() => queryClient.resetQueries({ queryKey: ["me"] }))}>{t("signin.out")}</Button>
        </div>
      </section>
    </Page>
  );
}
