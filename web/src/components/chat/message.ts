/** The field a question is written in, found by its id: a menu, a link or a new conversation gives it the focus. */

export const messageId = "message";

/** The caret behind what is written. False where the page has no such field. */
export function focusMessage(): boolean {
  const field = document.getElementById(messageId);
  if (!(field instanceof HTMLTextAreaElement)) return false;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
  return true;
}
