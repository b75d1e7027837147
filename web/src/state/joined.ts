/** A sign between two facts stays with the one before it: no line begins with it. */
export const hung = (text: string) => text.replace(/ (?=[·›] )/g, "\u00a0");

/** Facts in a row. A line breaks between them, not within one: no date is torn apart. */
export function joined(facts: (string | null | undefined | false)[]): string {
  return facts.filter(Boolean).map((fact) => String(fact).replaceAll(" ", "\u00a0")).join("\u00a0· ");
}
