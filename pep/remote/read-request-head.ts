import type { IncomingMessage } from 'node:http';
import { listPairs, withoutHeaders } from '../exchange/header-list.ts';
import type { RequestHead } from '../exchange/heads.ts';

/** What a browser asks its proxy for; null for what is not asked of a proxy. */
export function readRequestHead(request: IncomingMessage, user: string): RequestHead | null {
  const { url = '', method = '', headers, rawHeaders } = request;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  const target = new URL(url);
  const isUpgrade = headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
  return {
    kind: 'request',
    user,
    method,
    url: `${target.protocol}//${target.host}${target.pathname}${target.search}`,
    hasBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
    isUpgrade,
    // The ground end takes `Connection` and what it names out. RFC 9112, 3.2.2: the target is what counts.
    headers: setHost(withoutHeaders(rawHeaders, ['proxy-authorization', 'proxy-connection']), target.host),
  };
}

function setHost(headers: readonly string[], host: string): string[] {
  const pairs = listPairs(headers);
  const isHost = ([name]: [string, string]) => name.toLowerCase() === 'host';
  const first = pairs.find(isHost);
  if (!first) return ['Host', host, ...headers];
  return pairs
    .filter((pair) => pair === first || !isHost(pair))
    .flatMap(([name, value]) => [name, name === first[0] ? host : value]);
}
