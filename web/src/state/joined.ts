/** A sign between two facts stays with the one before it: no line begins with it. */
export const hung = (text: string) => text.replace(/ (?=[·›] )/g, "\u00a0");

/** Facts in a row. A line breaks between them, not within one: no date is torn apart. */
export function joined(facts: (string | null | undefined | false)[]): string {
  return facts.filter(Boolean).map((fact) => String(fact).replaceAll(" ", "\u00a0")).join("\u00a0· ");
}

/** Running text in which no line ends within an amount or a date in figures: for previews and titles, which are read, not taken along. */
export function whole(text: string): string {
  return amounts(text).replace(/(?<!\d)(\d{4})-(\d\d)-(?=\d\d(?!\d))/g, "$1-\u2060$2-\u2060");
}

/** Running text in which an amount stays with its currency. */
export const amounts = (text: string) => text.replace(/(?<=(?<!\p{L})[A-Z]{3}|[€$£]) (?=\d)|(?<=\d) (?=(?:[A-Z]{3}(?!\p{L})|[€%]))/gu, "\u00a0");
