const longest = 80;

/** The name, or the name with the first number that makes it differ from all others. */
export function findFreeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  // Of "HTTP/2" the digit is no number of it.
  const stem = name.replace(/(?:^|(?<!\s)\s+)\d+$/, '');
  for (let number = 2; ; number++) {
    const candidate = `${stem} ${number}`.trim();
    if (!taken.includes(candidate)) return candidate;
  }
}

/** The name of an Evaluation, or the first of "name (2)", "name (3)" … that no other has. In a list, two with one name could not be distinguished. */
export function findFreeTitle(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  const stem = name.replace(/ \(\d+\)$/, '');
  for (let number = 2; ; number++) {
    const suffix = ` (${number})`;
    const candidate = `${stem.slice(0, longest - suffix.length)}${suffix}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
