/** `A`, `A and B`, or `A, B and C`. */
export function listInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
