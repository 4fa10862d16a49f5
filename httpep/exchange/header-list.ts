/** Of one hop only: RFC 9110, 7.6.1. */
const ofOneHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
];

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
    if (isNamed(headers[at]!, name)) values.push(...headers[at + 1]!.split(',').map((value) => value.trim()));
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

/** Of the message's way and end: nobody could heed them behind a body. RFC 9110, 6.5.1. */
const notBehind = ['content-length', 'host', 'trailer'];

/** The fields behind a body that pass. */
export function keepTrailers(trailers: HeaderList): string[] {
  return withoutHeaders(withoutHop(trailers), notBehind);
}

/** Without what concerns one hop only, and what `Connection` names. `Host` is of the target, and never of one hop: RFC 9112, 3.2.2. */
export function withoutHop(headers: HeaderList): string[] {
  const named = listValues(headers, 'connection')
    .map((token) => token.toLowerCase())
    .filter((token) => token !== 'host');
  return withoutHeaders(headers, [...ofOneHop, ...named]);
}
