/** Messages and formats in the user's language. English is in the first load; the others come when chosen. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type Language, onPreferences, preferences, zoneOf } from "~/state/preferences";
import { en } from "./en";
import { type Formats, formatsOf } from "./formats";

export type MessageKey = keyof typeof en;
export type Message = string | { one: string; other: string };
export type Catalogue = Record<MessageKey, Message>;
export type Values = Record<string, string | number>;

const loaders: Record<Exclude<Language, "en">, () => Promise<Catalogue>> = {
  de: async () => (await import("./de")).de,
  nl: async () => (await import("./nl")).nl,
  fr: async () => (await import("./fr")).fr,
};

export interface Translator extends Formats {
  (key: MessageKey, values?: Values): string;
  language: Language;
  /** The message where the key exists, else the fallback. For keys made of what the server says. */
  maybe: (key: string, fallback: string, values?: Values) => string;
}

/** French sets a space before these signs, at which no line may break. */
const kept = (text: string) => text.replace(/ (?=[:;?!])/g, "\u00a0");

export function translator(catalogue: Catalogue, language: Language, zone: string): Translator {
  const plural = new Intl.PluralRules(language);
  const formats = formatsOf(language, zone);
  const fill = (message: Message, values: Values = {}) => {
    const text = typeof message === "string" ? message : plural.select(Number(values.count ?? 0)) === "one" ? message.one : message.other;
    return (language === "fr" ? kept(text) : text).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === "number" ? formats.number(value) : value;
    });
  };
  const t = (key: MessageKey, values?: Values) => fill(catalogue[key] ?? en[key], values);
  const maybe = (key: string, fallback: string, values?: Values) => (key in en ? t(key as MessageKey, values) : fallback);
  return Object.assign(t, formats, { language, maybe });
}

const Context = createContext<Translator>(translator(en, "en", "UTC"));

export function usePreferences() {
  return useSyncExternalStore(onPreferences, preferences);
}

export function Messages({ children }: { children: ReactNode }) {
  const chosen = usePreferences();
  const [loaded, setLoaded] = useState<{ language: Language; catalogue: Catalogue } | null>(chosen.language === "en" ? { language: "en", catalogue: en } : null);
  useEffect(() => {
    document.documentElement.lang = chosen.language;
    if (chosen.language === "en") {
      setLoaded({ language: "en", catalogue: en });
      return;
    }
    let current = true;
    const language = chosen.language;
    // A catalogue that a new version has replaced cannot be had any more: better in English than not at all.
    void loaders[language]().then((catalogue) => { if (current) setLoaded({ language, catalogue }); }, () => { if (current) setLoaded({ language: "en", catalogue: en }); });
    return () => { current = false; };
  }, [chosen.language]);
  const zone = zoneOf(chosen);
  const t = useMemo(() => (loaded ? translator(loaded.catalogue, loaded.language, zone) : null), [loaded, zone]);
  return t ? <Context value={t}>{children}</Context> : null;
}

export const useT = () => useContext(Context);
