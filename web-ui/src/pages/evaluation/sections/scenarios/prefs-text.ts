/** Firefox preferences, `name: value` on each line; a value is true, false, a whole number, or a text. */
export function writePrefs(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(
      ([name, each]) =>
        `${name}: ${typeof each === 'string' && readValue(each) !== each ? JSON.stringify(each) : String(each)}`,
    )
    .join('\n');
}

/** The preferences of such a text; the text itself, which validation rejects, where a line is not a preference. */
export function readPrefs(text: string): unknown {
  const entries: [string, unknown][] = [];
  for (const line of text
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const match = /^([^:\s]+)\s*:(.*)$/.exec(line);
    if (!match) return text;
    entries.push([match[1]!, readValue(match[2]!.trim())]);
  }
  return Object.fromEntries(entries);
}

function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}
