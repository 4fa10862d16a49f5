/** The name, or the name with the first number that makes it differ from all others. */
export function findFreeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  const [, stem = name] = /^(.*?)\s*\d*$/.exec(name) ?? [];
  for (let number = 2; ; number++) {
    const candidate = `${stem} ${number}`.trim();
    if (!taken.includes(candidate)) return candidate;
  }
}
