/** Background load as one types it: `bulk-download=2, voice=1`. */
export function writeBackground(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map(({ kind = '', users = 1 }: { kind?: string; users?: number | string }) => `${kind}=${users}`)
    .join(', ');
}

/** The loads of such a text; the text itself, which validation rejects, where it has none. */
export function readBackground(text: string): unknown {
  const loads: { kind: string; users: number | string }[] = [];
  for (const part of text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const [kind = '', users = '1', ...more] = part.split('=').map((each) => each.trim());
    if (kind === '' || more.length > 0) return text;
    loads.push({ kind, users: users !== '' && Number.isFinite(Number(users)) ? Number(users) : users });
  }
  return loads;
}

/** Whether a load has more than its kind and its users, which the text would lose. */
export function hasMoreSettings(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.some((load: object) => Object.keys(load).some((key) => key !== 'kind' && key !== 'users'))
  );
}
