/** Characters that are not seen and change what is: they are shown as their codes wherever a name, a tool's result or an error could hide behind them. */

// Control characters but tab and line ends (ISO 6429), marks and overrides of the writing direction (Unicode Standard Annex 9, section 2),
// spaces without width, line separators, and tags. The joiners U+200C and U+200D stay: Persian and emoji need them.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function showControls(text: string): string {
  return text.replace(controls, (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}
