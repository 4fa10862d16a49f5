/** The value with each text in it replaced; `key` is the nearest key above the text. Keys are texts, too. */
export function mapTexts(value: unknown, change: (text: string, key: string) => unknown, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, key));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [String(change(name, '')), mapTexts(each, change, name)]),
  );
}
