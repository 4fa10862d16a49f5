/** Environment variables, `NAME=value` on each line. */
export function writeEnvironment(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, each]) => `${name}=${String(each)}`)
    .join('\n');
}

/** The variables of such a text; the text itself, which validation rejects, where a line is no variable. */
export function readEnvironment(text: string): unknown {
  const entries: [string, string][] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const end = line.indexOf('=');
    if (end < 1) return text;
    entries.push([line.slice(0, end).trim(), line.slice(end + 1)]);
  }
  return Object.fromEntries(entries);
}
