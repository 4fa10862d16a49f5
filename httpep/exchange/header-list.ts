/** Of one hop only: RFC 9110, 7.6.1. */
const ofOneHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
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
  return listPairs(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

/** Without headers of those names, which are in lower case. */
export function withoutHeaders(headers: HeaderList, names: readonly string[]): string[] {
  return listPairs(headers)
    .filter(([name]) => !names.includes(name.toLowerCase()))
    .flat();
}

/** Without what concerns one hop only, and what `Connection` names. */
export function withoutHop(headers: HeaderList): string[] {
  const named = listPairs(headers)
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((token) => token.trim());
  return withoutHeaders(headers, [...ofOneHop, ...named]);
}
