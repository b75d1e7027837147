/** What this browser remembers: language, theme, time zone, scope and limits of the next run. Web access is never among it. */

export type Language = "en" | "de" | "nl" | "fr";
export type Theme = "auto" | "light" | "dark";
export interface RunLimits { max_rounds?: number; max_calls_per_round?: number; budget?: { amount: number; currency: string }; temperature?: number }
export interface Preferences {
  language: Language; theme: Theme; timezone: string; model: string | null; knowledgeBases: string[] | null; useKnowledge: boolean; limits: RunLimits;
}

const key = "famulus.preferences";
export const languages: Language[] = ["en", "de", "nl", "fr"];

function defaults(): Preferences {
  const wanted = (navigator.languages ?? [navigator.language]).map((name) => name.slice(0, 2).toLowerCase());
  const language = wanted.find((name): name is Language => (languages as string[]).includes(name)) ?? "en";
  return { language, theme: "auto", timezone: "", model: null, knowledgeBases: null, useKnowledge: true, limits: {} };
}

let current: Preferences | null = null;
const listeners = new Set<() => void>();

export function preferences(): Preferences {
  if (!current) {
    let saved: Partial<Preferences> = {};
    try {
      saved = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Preferences>;
    } catch {
      // An unreadable preference is no preference.
    }
    current = { ...defaults(), ...saved };
  }
  return current;
}

export function prefer(change: Partial<Preferences>): void {
  current = { ...preferences(), ...change };
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // Without storage the choice holds until the page closes.
  }
  for (const listener of listeners) listener();
}

export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function zoneOf(value: Preferences): string {
  return value.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}
