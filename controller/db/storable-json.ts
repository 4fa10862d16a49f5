/** JSON that PostgreSQL stores: it takes neither U+0000 nor lone surrogates, and what was measured may hold either: each becomes U+FFFD. */
export function formatStorableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.replaceAll('\0', '\uFFFD').toWellFormed() : part));
}
