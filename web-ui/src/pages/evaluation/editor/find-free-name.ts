/** What a name and a title may have (`NameSchema`). */
const longest = 80;

/** The name, or the name with the first number that makes it differ from all others. Cut to what a name may have. */
export function findFreeName(name: string, taken: readonly string[]): string {
  // Of "HTTP/2" the digit is no number of it.
  const stem = name.replace(/(?:^|(?<!\s)\s+)\d+$/, '');
  return findFree(taken, { name, stem, suffixOf: (number) => ` ${number}` });
}

/** The name of an Evaluation, or the first of "name (2)", "name (3)" … that no other has. In a list, two with one name could not be distinguished. */
export function findFreeTitle(name: string, taken: readonly string[]): string {
  const stem = name.replace(/ \(\d+\)$/, '');
  return findFree(taken, { name, stem, suffixOf: (number) => ` (${number})` });
}

function findFree(
  taken: readonly string[],
  { name, stem, suffixOf }: { name: string; stem: string; suffixOf: (number: number) => string },
): string {
  const fitting = cut(name, longest);
  if (!taken.includes(fitting)) return fitting;
  for (let number = 2; ; number++) {
    const suffix = suffixOf(number);
    const candidate = `${cut(stem, longest - suffix.length)}${suffix}`.trim();
    if (!taken.includes(candidate)) return candidate;
  }
}

/** No half of a character stays at the end. */
function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
