/** The title of an axis on a drawing so large that all of it is one line. */
export function readTitle(title: { text: (context: object) => string[] }): string {
  const ctx = { save: () => undefined, restore: () => undefined, measureText: () => ({ width: 0 }) };
  return title.text({ chart: { width: 1, height: 1, options: {}, ctx } }).join('\n');
}
