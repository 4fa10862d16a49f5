import { createHash } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { replayedVisit } from '#core/site/compose-hosts.ts';
import {
  addressOf,
  createReplaySession,
  indexExchanges,
  matchRequest,
  type ExchangeIndex,
  type ReplayRequest,
  type ReplaySession,
} from '#core/site/match-request.ts';
import type { Site, SiteExchange } from '#core/site/site.ts';
import { openSite, type OpenSite } from '#site/open-site.ts';
import type { AnyRequest, AnyResponse } from '../../origin/create-server.ts';
import type { Arrival } from '../../origin/open-listener.ts';
import { serveTruth, truthPath } from '../../origin/start-origin.ts';
import type { RequestTruth, TruthRecorder } from '../../origin/truth-log.ts';
import type { HostContent } from './host-content.ts';
import { breakOff, prepareBody, sendHint, sendMiss, sendRecorded } from './send-recorded.ts';
import type { ReplayedFile } from './servers-messages.ts';

/** Users whose place in a page is known. */
const mostSessions = 10_000;

interface ReplayedPage {
  opened: OpenSite;
  index: ExchangeIndex;
  /** Of its address, as a document: several where it led to itself, or a script loaded it again. */
  documents: readonly SiteExchange[];
  /** By the number of the exchange. */
  thinkTimesMs: ReadonlyMap<number, number>;
  recordedEpochMs: number;
}

/** What one user is loading. */
interface Visiting {
  page: ReplayedPage;
  session: ReplaySession;
  /** How long ago the recording was. */
  agoMs: number;
}

/**
 * Recorded answers, for all hosts of these Sites: status, headers in their order, and the bytes of the body as they crossed the network, streamed, each after its think time. A user who asks for
 * one of the pages begins its recording, unless the recording has the page once more; what the user asks for from then on is of that page. A user is an address.
 */
export async function openReplayContent({
  sites,
  thinkTimeFactor,
  recorder,
}: {
  sites: readonly ReplayedFile[];
  thinkTimeFactor: number;
  recorder: TruthRecorder;
}): Promise<HostContent> {
  await using opening = new AsyncDisposableStack();
  const pages = new Map<string, ReplayedPage>();
  for (const { file, pages: numbers } of sites) {
    const opened = opening.use(await openSite(file));
    const thinkTimesMs = listThinkTimes(opened.site);
    for (const number of numbers) {
      const page = opened.site.pages.find((each) => each.number === number);
      const address = page && addressOf(page.url);
      if (!address) continue;
      const index = indexExchanges(opened.site, { page: number, visit: replayedVisit });
      const recordedEpochMs = page.visits[replayedVisit - 1]?.startEpochMs ?? opened.site.recordedEpochMs;
      const documents = opened.site.exchanges
        .filter((each) => each.page === number && each.visit === replayedVisit && addressOf(each.url) === address)
        .filter(({ method, requestHeaders }) => mayBeginPage(method, readHeaders(requestHeaders)));
      pages.set(address, { opened, index, documents, thinkTimesMs, recordedEpochMs });
    }
  }
  const [first] = pages.values();
  if (!first) throw new Error('There is no page to replay');
  const visiting = new Map<string, Visiting>();
  const visitOf = (user: string, request: AnyRequest, url: string): Visiting => {
    const isDocument = mayBeginPage(request.method ?? 'GET', request.headers);
    const page = isDocument ? pages.get(addressOf(url) ?? '') : undefined;
    const known = visiting.get(user);
    if (known && (!page || (known.page === page && isLoadedAgain(known, request.headers)))) return known;
    const { recordedEpochMs } = page ?? first;
    const begun = { page: page ?? first, session: createReplaySession(), agoMs: epochClock() - recordedEpochMs };
    visiting.delete(user);
    visiting.set(user, begun);
    if (visiting.size > mostSessions) visiting.delete(visiting.keys().next().value!);
    return begun;
  };

  const answer = async ({ request, response, connection, protocol }: Arrival, { host, record }: Answered) => {
    const target = request.url ?? '/';
    const scheme = connection.truth.listener === 'http' ? 'http' : 'https';
    const url = new URL(target.startsWith('/') ? `${scheme}://${host}${target}` : target).href;
    const { page, session, agoMs } = visitOf(connection.clientAddress, request, url);
    const asked = { method: request.method ?? 'GET', url, headers: listHeaders(request.rawHeaders) };
    const bodySha256 = await hashBody(request);
    const askedEpochMs = bodySha256 === null ? record.arrivedEpochMs : epochClock();
    const match = matchRequest(page.index, { ...asked, bodySha256 }, session);
    if (match.kind === 'miss') {
      sendMiss(response, record, url);
      return;
    }
    const { exchange } = match;
    const isHead = request.method === 'HEAD';
    // What this server needs to find the answer is part of its think time.
    const body = prepareBody(page.opened, { exchange, isHead });
    try {
      const answerAtMs = askedEpochMs + (page.thinkTimesMs.get(exchange.number) ?? 0) * thinkTimeFactor;
      // Browsers use no early hints over HTTP/1.1.
      for (const { thinkMs, links } of protocol === 'http/1.1' ? [] : (exchange.earlyHints ?? [])) {
        await waitUntil(Math.min(askedEpochMs + thinkMs * thinkTimeFactor, answerAtMs), response);
        sendHint(response, links);
      }
      await waitUntil(answerAtMs, response);
      await sendRecorded(response, { exchange, record, agoMs, body, isHead });
    } finally {
      body?.destroy();
    }
  };
  const resources = opening.move();
  return {
    serve: (arrival, host) => {
      const { request, response, connection } = arrival;
      if (connection.truth.listener === 'http' && request.url?.startsWith(truthPath)) {
        serveTruth(request, response, recorder);
        return;
      }
      const record = beginRecord(arrival, { host, recorder });
      answer(arrival, { host, record }).catch(() => {
        // The client has gone away, or the archive is damaged: then part of an answer would look like a whole one.
        if (!response.writableEnded) breakOff(response);
      });
    },
    upgrade: ({ socket }) => void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/**
 * Of the same request in all recorded visits the shortest: what the recorder and its browser were busy with only adds to the time of a server. The same request has the page, method, address and body, and
 * its turn among these in its visit: a poll may wait where the one before it did not.
 */
export function listThinkTimes({ exchanges }: Pick<Site, 'exchanges'>): Map<number, number> {
  const turns = new Map<string, number>();
  const named = exchanges.map(({ number, page, visit, method, url, requestBodySha256, thinkMs }) => {
    const request = JSON.stringify([page, method, url, requestBodySha256]);
    const turn = (turns.get(`${visit} ${request}`) ?? 0) + 1;
    turns.set(`${visit} ${request}`, turn);
    return { number, thinkMs, name: `${turn} ${request}` };
  });
  const shortest = new Map<string, number>();
  for (const { name, thinkMs } of named)
    if (thinkMs !== null) shortest.set(name, Math.min(thinkMs, shortest.get(name) ?? Infinity));
  return new Map(named.map(({ number, name }) => [number, shortest.get(name) ?? 0]));
}

interface Answered {
  host: string;
  record: RequestTruth;
}

/** By names in lower case. */
type NamedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Scripts may fetch the address of a page, and browsers may before it is wanted. Without TLS, browsers do not say what a request is for, and accept HTML where it is for a document. */
function mayBeginPage(method: string, headers: NamedHeaders): boolean {
  const { accept = 'text/html' } = headers;
  const destination = headers['sec-fetch-dest'] ?? (accept.includes('text/html') ? 'document' : 'empty');
  return method === 'GET' && destination === 'document' && headers['sec-purpose'] === undefined;
}

function readHeaders(headers: SiteExchange['requestHeaders']): NamedHeaders {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether the page itself, or its redirect, leads to the page once more, as in the recording. A Visit begins with what no page led to. */
function isLoadedAgain({ page: { documents }, session: { served } }: Visiting, headers: NamedHeaders): boolean {
  const last = documents.findLast(({ number }) => served.has(number));
  if (!last || documents.every(({ number }) => served.has(number))) return false;
  const isRedirected = last.status >= 300 && last.status < 400;
  return isRedirected || (headers['sec-fetch-site'] ?? 'none') !== 'none' || headers.referer !== undefined;
}

function listHeaders(raw: readonly string[]): ReplayRequest['headers'] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!] as const);
}

/** Null without a body. Rejects when the client has gone away meanwhile. */
async function hashBody(request: AnyRequest): Promise<string | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    hash.update(part);
    bytes += part.length;
  });
  await new Promise((resolve, reject) => {
    request.once('end', resolve);
    request.once('close', () => reject(new Error('The request broke off')));
  });
  return bytes === 0 ? null : hash.digest('hex');
}

/** By how much a timer is late on a quiet machine. Each answer costs the processor so long at most. */
const timerSlackMs = 1;

/** Rejects when the client has gone away meanwhile. */
async function waitUntil(atEpochMs: number, response: AnyResponse): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    // Timers count whole milliseconds, from the beginning of a turn of the event loop: the last one is waited for turn by turn.
    for (let ms = atEpochMs - epochClock(); ms > 0; ms = atEpochMs - epochClock())
      if (ms > timerSlackMs) await sleep(ms - timerSlackMs, undefined, { signal: gone.signal });
      else await setImmediate(undefined, { signal: gone.signal });
  } finally {
    response.off('close', leave);
  }
}

function beginRecord(
  { request, response, connection, protocol }: Arrival,
  { host, recorder }: { host: string; recorder: TruthRecorder },
) {
  const url = request.url ?? '/';
  const record = recorder.addRequest({
    url,
    path: url.split('?')[0]!,
    host,
    visit: null,
    object: null,
    counts: 'total',
    connectionId: connection.truth.id,
    protocol,
    isPushed: false,
    tls: connection.truth.tls,
    status: null,
    arrivedEpochMs: epochClock(),
    firstByteEpochMs: null,
    lastByteEpochMs: null,
    endedEpochMs: null,
    outcome: 'in-flight',
    bodyBytes: 0,
  });
  const end = (outcome: RequestTruth['outcome']) => {
    if (record.outcome !== 'in-flight') return;
    record.outcome = outcome;
    record.endedEpochMs = epochClock();
    if (outcome === 'complete') record.lastByteEpochMs = record.endedEpochMs;
  };
  response.once('finish', () => end('complete'));
  response.once('close', () => end('abandoned'));
  return record;
}
