import type { IncomingHttpHeaders } from 'node:http';
import { redactHeaders } from '#core/har/redact-headers.ts';
import type { Exchange, Header } from '#core/metrics/network-request.ts';
import type { Connection, ResponseHead } from '../network/connection.ts';

/** What HARs want to know of a request, before it is sent; headers only where they are asked for. */
export function beginExchange(headers: Record<string, string> | null): Exchange {
  return {
    method: 'GET',
    statusText: null,
    mimeType: null,
    serverAddress: null,
    phases: { dns: null, connect: null, tls: null, send: null },
    headers: headers && { request: listHeaders(headers), response: [] },
  };
}

export function noteSent(
  exchange: Exchange,
  { connection, isReused }: { connection: Connection; isReused: boolean },
): void {
  const { serverAddress, times } = connection;
  exchange.serverAddress = serverAddress;
  if (isReused) return;
  const { lookupStartEpochMs, lookupEndEpochMs, connectStartEpochMs, secureStartEpochMs, connectEndEpochMs } = times;
  exchange.phases = {
    dns: [lookupStartEpochMs, lookupEndEpochMs],
    connect: [connectStartEpochMs, connectEndEpochMs],
    tls: secureStartEpochMs === null ? null : [secureStartEpochMs, connectEndEpochMs],
    send: null,
  };
}

export function noteHead(
  exchange: Exchange,
  { statusText, headers }: Pick<ResponseHead, 'statusText' | 'headers'>,
): void {
  exchange.statusText = statusText.slice(0, 1024);
  exchange.mimeType = (headers['content-type'] ?? '').slice(0, 256);
  if (exchange.headers) exchange.headers.response = listHeaders(headers);
}

/** One that came several times stands so often. */
function listHeaders(headers: IncomingHttpHeaders): Header[] {
  return redactHeaders(
    Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each) => ({ name, value: each }))),
  );
}
