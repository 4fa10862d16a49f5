/** Names and values in turn, as Node's `rawHeaders`. */
export type HeaderList = readonly string[];

export function listPairs(headers: HeaderList): [string, string][] {
  return Array.from({ length: headers.length / 2 }, (_, index) => [headers[2 * index]!, headers[2 * index + 1]!]);
}

/** The value of the first header of that name, which is in lower case. */
export function findHeader(headers: HeaderList, name: string): string | null {
  for (let at = 0; at < headers.length; at += 2) if (isNamed(headers[at]!, name)) return headers[at + 1]!;
  return null;
}

/** The value of a field that may be there several times, as one: RFC 9110, 5.3. Null where it is not there. */
export function joinHeader(headers: HeaderList, name: string): string | null {
  const values = listPairs(headers).flatMap(([header, value]) => (isNamed(header, name) ? [value] : []));
  return values.length === 0 ? null : values.join(', ');
}

/** The values of a field, whose name is in lower case: it may be a list, be there several times, or both. */
export function listValues(headers: HeaderList, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < headers.length; at += 2)
    if (isNamed(headers[at]!, name)) values.push(...headers[at + 1]!.split(',').map(trimBlanks));
  return values;
}

/** Whether a field has that value, both in lower case, alone or in a list. */
export function hasToken(headers: HeaderList, name: string, token: string): boolean {
  return listValues(headers, name).some((each) => each.toLowerCase() === token);
}

/** Most names differ by their length already. */
function isNamed(header: string, name: string): boolean {
  return header.length === name.length && header.toLowerCase() === name;
}

/** Without headers of those names, which are in lower case. */
export function withoutHeaders(headers: HeaderList, names: readonly string[]): string[] {
  return listPairs(headers)
    .filter(([name]) => !names.includes(name.toLowerCase()))
    .flat();
}

/** Without white space around it. A trim of the language takes more, such as a byte that is a space in Latin-1. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(start, end);
}
