const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The order of two values of a column: numbers by size; texts by their letters, with numbers in them by size. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}
