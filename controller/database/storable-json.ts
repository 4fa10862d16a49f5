/** An escape of U+0000 or of a surrogate; JSON.stringify escapes lone ones only. Behind a backslash it is text, and is looked at for nothing. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/** JSON that PostgreSQL stores: it takes neither U+0000 nor lone surrogates, and what was measured may hold either, as a key too: each becomes U+FFFD. */
export function formatStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return unstorableEscape.test(json) ? JSON.stringify(value, (_, part: unknown) => toStorable(part)) : json;
}

/** What `formatStorableJson` makes of the value of this JSON. */
export function parseStorableJson(json: string): unknown {
  return json.includes('\\u') && unstorableEscape.test(json)
    ? JSON.parse(json, (_, part: unknown) => toStorable(part))
    : JSON.parse(json);
}

function toStorable(part: unknown): unknown {
  if (typeof part === 'string') return replaceUnstorable(part);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [replaceUnstorable(key), each as unknown]));
}

/** Text that PostgreSQL stores. */
export function replaceUnstorable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
