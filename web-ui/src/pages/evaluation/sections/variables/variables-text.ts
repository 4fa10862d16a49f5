/** Variables as one types them: `images=30, kB={1}`. */
export function writeVariables(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, each]) => `${name}=${String(each)}`)
    .join(', ');
}

/** The variables of such a text; the text itself, which validation rejects, where it has no variables. */
export function readVariables(text: string): unknown {
  const entries: [string, number | string][] = [];
  for (const part of splitParts(text, ',')) {
    const match = /^([^=]+)=(.*)$/.exec(part);
    if (!match) return text;
    const value = match[2]!.trim();
    entries.push([match[1]!.trim(), value !== '' && Number.isFinite(Number(value)) ? Number(value) : value]);
  }
  return Object.fromEntries(entries);
}

/** A list of texts, one on each line. */
export function writeLines(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'string' ? value : '';
}

export function readLines(text: string): unknown {
  return splitParts(text, '\n');
}

/** Without blanks around them, and without empty ones. */
export function splitParts(text: string, separator: ',' | '\n'): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}
