/** Shown while nobody is signed in. */
import { Button, PasswordInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "~/api/client";
import { ApiError } from "~/api/http";
import { Command } from "~/components/common/Command";
import { Notice } from "~/components/common/Notice";
import { Problem } from "~/components/common/Problem";
import { queryClient } from "~/hooks/live";
import { useT } from "~/i18n";
import css from "./SignInPage.module.css";

/** The address that redeems a sign-in link, where one was pasted instead of a token. */
function linkIn(text: string): string | null {
  const token = /\/signin\?token=([\w.~-]+)/.exec(text)?.[1];
  return token ? `/signin?token=${token}` : null;
}

/** Part of every sign-in link; and the commands that print a new way in. */
const part = "/signin?token=";
const newLink = "famulus token signin";
const newToken = "famulus token create NAME";

export function SignInPage({ expired }: { expired: boolean }) {
  const t = useT();
  const [token, setToken] = useState("");
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // An address that signs nobody in is not a token either: it is not sent.
  const [foreign, setForeign] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const link = linkIn(token);
    if (link) { location.assign(link); return; }
    setError(null);
    const address = /^\w+:\/\//.test(token.trim());
    setForeign(address);
    if (address) return;
    setBusy(true);
    try {
      await api.signIn(token.trim());
      await queryClient.resetQueries();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const wrong = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return (
    <main className={css.page} id="content">
      <form className={css.form} onSubmit={(event) => void submit(event)}>
        <img src="/favicon.svg" alt="" width={44} height={44} />
        <h1>{t("signin.title")}</h1>
        {expired && error === null && <Notice tone="warning" live title={t("signin.expiredTitle")}>{t("signin.expired")}</Notice>}
        <p>{t("signin.hint")}</p>
        <div className={css.again}><p>{t("signin.again")}</p><Command>{newLink}</Command></div>
        <PasswordInput label={t("signin.token")} value={token} autoComplete="current-password" onChange={(event) => setToken(event.currentTarget.value)} visible={shown} onVisibilityChange={setShown} visibilityToggleButtonProps={{ "aria-label": t(shown ? "signin.hide" : "signin.show") }} />
        {foreign && <Notice tone="error" live>{t("signin.foreign", { part })}</Notice>}
        {wrong ? <Notice tone="error" live>{t("signin.wrong", { link: newLink, token: newToken })}</Notice> : error !== null && <Problem error={error} />}
        <Button type="submit" size="md" fullWidth loading={busy} disabled={!token.trim()}>{t("signin.button")}</Button>
      </form>
    </main>
  );
}
