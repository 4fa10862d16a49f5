const rangePattern = /^(.*?)\[(\d+|[a-z]|[A-Z]):(\d+|[a-z]|[A-Z])(?::([1-9]\d*))?\](.*)$/s;

/** The names that a pattern such as `lab-[01:20]` or `lab-[a:d]` stands for, as in Ansible; null when there would be more than `limit`, or a range is turned around. */
export function expandRange(pattern: string, limit: number): string[] | null {
  const [, before, first, last, step = '1', after] = rangePattern.exec(pattern) ?? [];
  if (before === undefined || after === undefined || first === undefined || last === undefined) return [pattern];
  const isNumeric = /^\d+$/.test(first);
  if (isNumeric !== /^\d+$/.test(last)) return null;
  const number = (text: string) => (isNumeric ? Number(text) : text.charCodeAt(0));
  const count = Math.floor((number(last) - number(first)) / Number(step)) + 1;
  if (!(count >= 1 && count <= limit)) return null;

  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const value = number(first) + index * Number(step);
    const text = isNumeric
      ? String(value).padStart(first.startsWith('0') ? first.length : 0, '0')
      : String.fromCharCode(value);
    const expanded = expandRange(before + text + after, limit);
    if (expanded === null || names.length + expanded.length > limit) return null;
    names.push(...expanded);
  }
  return names;
}
