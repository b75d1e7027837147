/** Looking a name up as people type it: without accents, in any case, blanks for the underscores. */

export const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[_\s]+/g, " ").trim();

/** Each word of `wanted` stands in `name`. */
export function namesIt(name: string, wanted: string): boolean {
  const known = folded(name);
  return folded(wanted).split(" ").every((word) => known.includes(word));
}
