import { listValues, withoutHeaders, type HeaderList } from '#core/http1/header-list.ts';

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
