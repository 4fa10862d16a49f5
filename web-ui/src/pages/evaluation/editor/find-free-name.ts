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
