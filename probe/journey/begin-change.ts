import { findVisible, type SelectorPath } from './find-element.ts';
import { scrollToElement } from './find-point.ts';
import { waitFor } from './wait-for.ts';

/** What is left to do: type the text; nothing; or the element did not come, or takes no text. */
export type BegunChange = 'type' | 'done' | 'absent' | 'no-field';

const typedTypes = new Set(['text', 'email', 'number', 'password', 'search', 'tel', 'url']);
const untouchedTypes = new Set(['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image']);

/** Makes a field ready for a text that replaces what is in it, or sets what no user types: a choice, a date, a colour. */
export async function beginChange(
  paths: readonly SelectorPath[],
  { value, timeoutMs }: { value: string; timeoutMs: number },
): Promise<BegunChange> {
  const element = await waitFor(() => findVisible(paths), timeoutMs);
  if (!element) return 'absent';
  scrollToElement(element);
  if (element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && typedTypes.has(element.type))) {
    element.focus();
    element.select();
    return 'type';
  }
  if (element instanceof HTMLElement && element.isContentEditable) {
    element.focus();
    getSelection()?.selectAllChildren(element);
    return 'type';
  }
  if (
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLInputElement && !untouchedTypes.has(element.type))
  ) {
    element.value = value;
    if (element.value !== value) return 'no-field';
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return 'done';
  }
  return 'no-field';
}
