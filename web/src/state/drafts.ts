/** Text that was typed and not yet sent, kept per conversation so that a reload or a change of page loses nothing. */

const prefix = "famulus.draft.";

export function draft(name: string): string {
  try {
    return localStorage.getItem(prefix + name) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(name: string, text: string): void {
  try {
    if (text) localStorage.setItem(prefix + name, text);
    else localStorage.removeItem(prefix + name);
  } catch {
    // Without storage the text lives in the form alone.
  }
}
