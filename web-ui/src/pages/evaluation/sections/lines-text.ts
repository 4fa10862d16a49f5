/** A list of texts, one on each line. */
export function writeLines(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'string' ? value : '';
}

export function readLines(text: string): unknown {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
