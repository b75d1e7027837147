/** Messages and formats in the user's language. English is in the first load; the others come when chosen. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type Language, onPreferences, preferences, zoneOf } from "~/state/preferences";
import { en } from "./en";

export type MessageKey = keyof typeof en;
export type Message = string | { one: string; other: string };
export type Catalogue = Record<MessageKey, Message>;
export type Values = Record<string, string | number>;

const loaders: Record<Exclude<Language, "en">, () => Promise<Catalogue>> = {
  de: async () => (await import("./de")).de,
  nl: async () => (await import("./nl")).nl,
  fr: async () => (await import("./fr")).fr,
};

export interface Translator {
  (key: MessageKey, values?: Values): string;
  language: Language;
  /** The message where the key exists, else the fallback. For keys made of what the server says. */
  maybe: (key: string, fallback: string, values?: Values) => string;
  number: (value: number, options?: Intl.NumberFormatOptions) => string;
  percent: (part: number) => string;
  bytes: (size: number) => string;
  duration: (ms: number) => string;
  date: (iso: string | null | undefined) => string;
  time: (iso: string | null | undefined) => string;
  languageName: (code: string) => string;
}

export function translator(catalogue: Catalogue, language: Language, zone: string): Translator {
  const plural = new Intl.PluralRules(language);
  const number = (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options).format(value);
  const fill = (message: Message, values: Values = {}) => {
    const text = typeof message === "string" ? message : plural.select(Number(values.count ?? 0)) === "one" ? message.one : message.other;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === "number" ? number(value) : value;
    });
  };
  const when = (iso: string | null | undefined, options: Intl.DateTimeFormatOptions) => {
    if (!iso) return "";
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return "";
    try {
      return new Intl.DateTimeFormat(language, { ...options, timeZone: zone }).format(date);
    } catch {
      return new Intl.DateTimeFormat(language, options).format(date);
    }
  };
  const t = ((key: MessageKey, values?: Values) => fill(catalogue[key] ?? en[key], values)) as Translator;
  t.language = language;
  t.maybe = (key, fallback, values) => (key in en ? t(key as MessageKey, values) : fallback);
  t.number = number;
  t.percent = (part) => number(part, { style: "percent", maximumFractionDigits: 0 });
  t.bytes = (size) => {
    if (size < 1000) return number(size, { style: "unit", unit: "byte", unitDisplay: "narrow" });
    const [unit, divisor] = size < 1e6 ? ["kilobyte", 1e3] as const : size < 1e9 ? ["megabyte", 1e6] as const : ["gigabyte", 1e9] as const;
    return number(size / divisor, { style: "unit", unit, maximumFractionDigits: size / divisor < 10 ? 1 : 0 });
  };
  t.duration = (ms) => {
    if (ms < 1000) return number(Math.round(ms), { style: "unit", unit: "millisecond", unitDisplay: "short" });
    if (ms < 60_000) return number(ms / 1000, { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 1 });
    return `${number(Math.floor(ms / 60_000), { style: "unit", unit: "minute", unitDisplay: "short" })} ${number(Math.round((ms % 60_000) / 1000), { style: "unit", unit: "second", unitDisplay: "short" })}`;
  };
  t.date = (iso) => when(iso, { dateStyle: "medium", timeStyle: "short" });
  t.time = (iso) => when(iso, { timeStyle: "medium" });
  t.languageName = (code) => {
    try {
      return new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
    } catch {
      return code;
    }
  };
  return t;
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
    void loaders[language]().then((catalogue) => { if (current) setLoaded({ language, catalogue }); });
    return () => { current = false; };
  }, [chosen.language]);
  const zone = zoneOf(chosen);
  const t = useMemo(() => (loaded ? translator(loaded.catalogue, loaded.language, zone) : null), [loaded, zone]);
  return t ? <Context value={t}>{children}</Context> : null;
}

export const useT = () => useContext(Context);
