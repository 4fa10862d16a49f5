/** An element of the page's own markup. Throws when it is not there, or is another. */
export function findElement<T extends Element>(selector: string, type: new () => T): T {
  const element = document.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} "${selector}"`);
  return element;
}

export const at = (id: string): HTMLElement => findElement(`#${id}`, HTMLElement);

/** Hides the element where there is nothing to say. */
export function showText(id: string, text: string | null): void {
  at(id).hidden = text === null;
  at(id).textContent = text;
}
