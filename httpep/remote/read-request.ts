import type { ConnectHead, RequestHead } from '../exchange/heads.ts';
import { listPairs, withoutHeaders } from '#core/http1/header-list.ts';
import { withoutHop } from '../exchange/hop-fields.ts';
import { readTarget } from '../exchange/target.ts';
import type { AnswerWriter } from '../http/answer-writer.ts';
import { listDate } from './answer-error.ts';
import { formatHead, type RequestLine } from '#core/http1/message-head.ts';
import type { ServedRequest } from '../http/serve-connection.ts';

/** `HOST:PORT`, IPv6 in brackets; null for what is neither. */
export function readConnectTarget(target: string, user: string): ConnectHead | null {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]/@]+)):(\d{1,5})$/i.exec(target);
  const host = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3]);
  return host === undefined || port < 1 || port > 65_535 ? null : { kind: 'connect', user, host, port };
}

/** What a browser asks its proxy for; null for what is not asked of a proxy. `authority`: of the host to which TLS was spoken, which is asked without its name. */
export function readRequestHead(
  { method, target, version, headers, body, isUpgrade }: ServedRequest,
  { user, authority }: { user: string; authority: string | null },
): RequestHead | null {
  // What is asked of the whole host has no path: RFC 9112, 3.2.4.
  const path = target === '*' && method === 'OPTIONS' ? '' : target;
  const isOfHost = authority !== null && /^(\/|$)/.test(path);
  const url = isOfHost ? `https://${authority.replace(/:443$/, '')}${path}` : target;
  const place = readTarget(url);
  if (!place) return null;
  const kept = withoutHeaders(headers, ['proxy-authorization', 'proxy-connection']);
  return {
    kind: 'request',
    user,
    method,
    url: `${place.isSecure ? 'https' : 'http'}://${place.authority}${place.path === '' && method !== 'OPTIONS' ? '/' : place.path}`,
    version,
    hasBody: body !== null,
    isUpgrade,
    // The ground end takes `Connection` and what it names out. RFC 9112, 3.2.2: the target is what counts.
    headers: countForward(
      setHost(version === '1.0' ? withoutHeaders(kept, ['expect']) : kept, place.authority),
      method,
    ),
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

/** Methods whose way is counted: RFC 9110, 7.6.2. */
const counted = ['TRACE', 'OPTIONS'];

function readForwards({ method, headers }: Pick<RequestLine, 'method' | 'headers'>): number | null {
  const value =
    counted.includes(method) && listPairs(headers).find(([name]) => name.toLowerCase() === 'max-forwards')?.[1];
  return value && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

function countForward(headers: string[], method: string): string[] {
  const forwards = readForwards({ method, headers });
  if (forwards === null || forwards === 0) return headers;
  return listPairs(headers).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === 'max-forwards' ? String(forwards - 1) : value,
  ]);
}

/** What shows who asks is not shown again: RFC 9110, 9.3.8. */
const secret = ['authorization', 'proxy-authorization', 'cookie'];

/** Answers a request that asks for the last on its way, which this end is then. False for others. */
export async function answerAsLast(request: ServedRequest, answer: AnswerWriter): Promise<boolean> {
  if (readForwards(request) !== 0) return false;
  const { method, target, version, headers } = request;
  // Nobody needs its body, which may not come.
  if (request.body) answer.asked.isLast = true;
  const seen = formatHead(`TRACE ${target} HTTP/${version}`, withoutHeaders(withoutHop(headers), secret));
  const body = Buffer.from(method === 'TRACE' ? seen : '', 'latin1');
  const type = method === 'TRACE' ? ['Content-Type', 'message/http'] : [];
  const length = ['Content-Length', String(body.length)];
  await answer.begin({ status: 200, reason: 'OK', headers: [...type, ...length, ...listDate()] });
  await answer.write(body);
  await answer.end();
  return true;
}
