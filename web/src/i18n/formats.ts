/** Numbers, sizes and times in words of a language. Each formatter is made once: making one costs more than a hundred uses, and a list of rows uses many. */

export interface Formats {
  number: (value: number, options?: Intl.NumberFormatOptions) => string;
  percent: (part: number) => string;
  bytes: (size: number) => string;
  duration: (ms: number) => string;
  date: (iso: string | null | undefined) => string;
  /** A day of the calendar, `2026-11-30`, which is the same in every zone. */
  day: (iso: string) => string;
  time: (iso: string | null | undefined) => string;
  /** To the millisecond. */
  clock: (iso: string | null | undefined) => string;
  /** A moment with its weekday, as it is in `zone`. */
  moment: (iso: string, zone: string) => string;
  languageName: (code: string) => string;
}

export function formatsOf(language: string, zone: string): Formats {
  const numbers = new Map<string, Intl.NumberFormat>();
  const times = new Map<string, Intl.DateTimeFormat>();
  const languages = new Intl.DisplayNames([language], { type: "language" });

  const number = (value: number, options?: Intl.NumberFormatOptions) => {
    const key = options ? JSON.stringify(options) : "";
    let format = numbers.get(key);
    if (!format) numbers.set(key, format = new Intl.NumberFormat(language, options));
    return format.format(value);
  };
  const unit = (value: number, name: string, most = 0) =>
    number(value, { style: "unit", unit: name, unitDisplay: name === "byte" ? "narrow" : "short", maximumFractionDigits: most });
  const when = (iso: string | null | undefined, options: Intl.DateTimeFormatOptions) => {
    const date = new Date(iso ?? "");
    if (Number.isNaN(date.getTime())) return "";
    const key = JSON.stringify(options);
    let format = times.get(key);
    if (!format) times.set(key, format = timeFormat(language, options, zone));
    return format.format(date);
  };
  return {
    number,
    percent: (part) => number(part, { style: "percent", maximumFractionDigits: 0 }),
    bytes: (size) => {
      // The narrow form is the only one with a sign for bytes, and it is written without a space.
      if (size < 1000) return unit(size, "byte").replace(/(?<=\d)(?=\p{L})/u, "\u00a0");
      const [name, divisor] = size < 1e6 ? ["kilobyte", 1e3] as const : size < 1e9 ? ["megabyte", 1e6] as const : ["gigabyte", 1e9] as const;
      return unit(size / divisor, name, size / divisor < 10 ? 1 : 0);
    },
    duration: (ms) => {
      // What took less is not told as nothing.
      if (ms < 0.5) return `< ${unit(1, "millisecond")}`;
      if (ms < 1000) return unit(Math.round(ms), "millisecond");
      if (ms < 60_000) return unit(ms / 1000, "second", 1);
      const seconds = Math.round(ms / 1000);
      return `${unit(Math.floor(seconds / 60), "minute")} ${unit(seconds % 60, "second")}`;
    },
    date: (iso) => when(iso, { dateStyle: "medium", timeStyle: "short" }),
    day: (iso) => {
      const date = new Date(`${iso}T00:00:00Z`);
      return Number.isNaN(date.getTime()) ? iso : timeFormat(language, { dateStyle: "medium" }, "UTC").format(date);
    },
    moment: (iso, where) => {
      const date = new Date(iso);
      return Number.isNaN(date.getTime()) ? "" : timeFormat(language, { dateStyle: "full", timeStyle: "short" }, where).format(date);
    },
    time: (iso) => when(iso, { timeStyle: "medium" }),
    clock: (iso) => when(iso, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23" }),
    languageName: (code) => {
      try {
        return languages.of(code) ?? code;
      } catch {
        return code;
      }
    },
  };
}

/** In the browser's own zone where the chosen one is unknown to it. */
function timeFormat(language: string, options: Intl.DateTimeFormatOptions, zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(language, options);
  }
}
