import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { replayMissType } from '#core/metrics/replay-misses.ts';
import type { SiteExchange } from '#core/site/site.ts';
import type { OpenSite } from '#site/open-site.ts';
import type { AnyResponse } from '../../origin/create-server.ts';
import type { RequestTruth } from '../../origin/truth-log.ts';

/**
 * Of one connection, not of the answer (RFC 9110, 7.6.1). `alt-svc` would lead to a server that the recording had, and the length is that of the body: without it, the body is in chunks as it
 * was.
 */
const leftOut: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'upgrade',
  'http2-settings',
  'trailer',
  'alt-svc',
]);

/** Begins to read the body of an answer, so that its first bytes are there when it is due; null without a body. */
export function prepareBody(
  opened: OpenSite,
  { exchange, isHead }: { exchange: SiteExchange; isHead: boolean },
): Readable | null {
  const { status, body } = exchange;
  if (isHead || body === null || status === 204 || status === 304) return null;
  const stream = opened.readBody(exchange);
  stream.on('error', () => undefined); // thrown where it is sent
  stream.read(0);
  return stream;
}

interface Recorded {
  exchange: SiteExchange;
  record: RequestTruth;
  body: Readable | null;
  agoMs: number;
  isHead: boolean;
}

/** Sends what was recorded: status, headers in their order, and the bytes of the body as they crossed the network, streamed. Rejects when the client has gone away, or the archive is damaged. */
export async function sendRecorded(
  response: AnyResponse,
  { exchange, record, body, agoMs, isHead }: Recorded,
): Promise<void> {
  const { status } = exchange;
  const bytes = exchange.body?.bytes ?? 0;
  const headers = exchange.headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    // Of a body that is left out as a secret, the length is another.
    return !leftOut.has(lower) && !(lower === 'content-length' && !isHead && Number(value) !== bytes);
  });
  const trailers = body ? exchange.trailers : [];
  const stream = begin(response, { status, headers: headers.map((header) => moveDate(header, agoMs)), trailers });
  record.status = status;
  record.firstByteEpochMs = epochClock();
  if (!body) {
    stream.end();
    return;
  }
  await pipeline(body, stream);
  record.bodyBytes = bytes;
}

/** By these, caches reckon the age of an answer (RFC 9111, 4.2): it is as old as it was, in as many bytes. */
const dates: ReadonlySet<string> = new Set(['date', 'expires', 'last-modified']);
const httpDate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;

function moveDate([name, value]: SiteExchange['headers'][number], byMs: number): SiteExchange['headers'][number] {
  const epochMs = dates.has(name.toLowerCase()) && httpDate.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(epochMs) ? [name, value] : [name, new Date(epochMs + byMs).toUTCString()];
}

/** Sends a head with its headers in this order, and returns what takes the body. */
function begin(
  response: AnyResponse,
  { status, headers, trailers }: Pick<SiteExchange, 'status' | 'headers' | 'trailers'>,
): NodeJS.WritableStream {
  if (!('stream' in response)) {
    response.sendDate = false;
    response.writeHead(status, headers.flat());
    response.addTrailers(trailers);
    return response;
  }
  const lower = headers.flatMap(([name, value]) => [name.toLowerCase(), value]);
  response.addTrailers(Object.fromEntries(trailers));
  // Node has the option, and its types do not yet.
  const options = { waitForTrailers: trailers.length > 0, sendDate: false };
  response.stream.respond([':status', String(status), ...lower], options);
  return response.stream;
}

/** Sends links ahead of the answer, in a 103 (RFC 8297). Through the front, those that Node refuses to write are left out. */
export function sendHint(response: AnyResponse, links: readonly string[]): void {
  if ('stream' in response) {
    if (!response.stream.destroyed) response.stream.additionalHeaders({ ':status': 103, link: links.join(', ') });
    return;
  }
  for (const link of links) {
    try {
      response.writeEarlyHints({ link });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_ARG_VALUE') throw error;
    }
  }
}

/** A 404 of a type of its own: a miss is no recorded 404. */
export function sendMiss(response: AnyResponse, record: RequestTruth, url: string): void {
  record.status = 404;
  record.firstByteEpochMs = epochClock();
  response.statusCode = 404;
  response.setHeader('content-type', replayMissType);
  response.setHeader('cache-control', 'no-store');
  response.end(`The recording has nothing like ${url}\n`);
}

/** So that part of an answer does not look like a whole one. */
export function breakOff(response: AnyResponse): void {
  if ('stream' in response) response.stream.close();
  else response.destroy();
}
