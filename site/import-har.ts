import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import {
  connectionOf,
  HarEntrySchema,
  isFromCache,
  joinPhases,
  known,
  nameProtocol,
  parseHar,
  refuseHar,
  type ParsedHar,
} from '#core/har/parse-har.ts';
import { comesOverNetwork } from '#core/metrics/page-object.ts';
import { maximumUrlCharacters } from '#core/metrics/snapshot-bounds.ts';
import { findExchangeFault } from '#core/site/find-site-fault.ts';
import { mostWebSockets, siteProtocols, type SiteHost, type SitePage, type SiteProtocol } from '#core/site/site.ts';
import type { RecordedBody } from './warc-record.ts';
import type { RecordedExchange, RecordedSite } from './write-site.ts';

/** Its text must be one string of JavaScript, which has less than 512 MiB. */
export const mostHarWithBodiesBytes = 400 * 1024 * 1024;
const longestMs = 3_600_000;
const longestTitle = 200;

const Text = z.string().nullish();
const HeadersSchema = z.array(z.object({ name: z.string(), value: z.string() })).nullish();
const EntrySchema = HarEntrySchema.extend({
  request: HarEntrySchema.shape.request.extend({
    method: z.string(),
    headers: HeadersSchema,
    postData: z.object({ text: Text }).nullish(),
  }),
  response: HarEntrySchema.shape.response
    .unwrap()
    .unwrap()
    .extend({
      headers: HeadersSchema,
      /** Of HTTP-AE. */
      _trailers: HeadersSchema,
      content: z
        .object({
          size: z.number().nullish(),
          mimeType: Text,
          text: Text,
          encoding: Text,
          /** Of HTTP-AE: the bytes are as they were sent. */
          _isCoded: z.boolean().nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
type Entry = z.output<typeof EntrySchema>;
type Load = ParsedHar<Entry>['loads'][number];

/** What follows from the body. */
const lengths = /^(content-length|transfer-encoding)$/i;
/** What a HAR does not keep: how a body was coded. */
const coding = /^content-encoding$/i;

/**
 * The Site of a HAR that has the bodies of its answers. Bodies have no content coding, and text is in UTF-8. Pages with one address are visits of one page. Throws `invalid-input`. `leftOut`:
 * requests without an answer, for a tunnel, and what no Site can hold; `withoutBody`: answers whose body the HAR does not have; `cutShort`: answers of whose body it has a part.
 */
export function readSiteOfHar(
  bytes: Uint8Array,
  name: string,
): { recorded: RecordedSite; leftOut: number; withoutBody: number; cutShort: number } {
  if (bytes.length > mostHarWithBodiesBytes)
    throw refuseHar(name, `has more than ${mostHarWithBodiesBytes / 1024 ** 2} MiB: save fewer pages`);
  const { creator, loads } = parseHar(bytes, { name, entry: EntrySchema });
  const answered = loads
    .map((load) => ({ ...load, entries: load.entries.filter(isAnswered) }))
    .filter(({ entries }) => entries.length > 0);
  if (answered.length === 0) throw refuseHar(name, 'has no answers');
  const all = answered.flatMap(({ entries }) => entries);
  const withoutBody = all.filter(lacksBody);
  if (withoutBody.length > 0 && all.every(({ response }) => !response!.content?.text))
    throw refuseHar(name, 'has no bodies: save it again with the contents of responses, as Chrome’s DevTools do');
  const hosts = listHosts(all);
  const pages = [...Map.groupBy(answered, ({ entries }) => asUrl(entries[0]!.request.url))].map(
    ([url, visits], index) => ({ url, visits, number: index + 1 }),
  );
  const exchanges = pages
    .flatMap(({ number, visits }) =>
      visits.flatMap((load, turn) => readVisit(load, { page: number, visit: turn + 1, hosts })),
    )
    .filter((exchange) => findExchangeFault(exchange) === null);
  if (exchanges.length === 0) throw refuseHar(name, 'has no answers that a Site can hold');
  const needed = new Set(exchanges.map(({ url }) => new URL(url).hostname));
  return {
    recorded: {
      title: nameTitle(answered[0]!),
      software: creator,
      recordedEpochMs: answered[0]!.entries[0]!.startedDateTime,
      hosts: hosts.filter(({ name: host }) => needed.has(host)),
      pages: pages.map((page) => describePage(page, creator)),
      exchanges,
    },
    leftOut: loads.reduce((sum, { entries }) => sum + entries.length, 0) - exchanges.length,
    withoutBody: withoutBody.length,
    cutShort: all.filter(isCutShort).length,
  };
}

/** An answer of 304 is for what the browser had: a replay, which begins without it, needs it whole. */
function lacksBody({ response }: Entry): boolean {
  const { text, size } = response!.content ?? {};
  return !text && ((size ?? 0) > 0 || response!.status === 304);
}

/** Firefox keeps the first MiB. Some programs write the size before decompression, which is little more than that after it at most. */
function isCutShort({ response }: Entry): boolean {
  const { text, encoding, size } = response!.content ?? {};
  return (
    Boolean(text) && (size ?? 0) > 1.01 * Buffer.byteLength(text!, encoding === 'base64' ? 'base64' : 'utf8') + 100
  );
}

/** Proxies write the tunnels, too, by which clients reach servers. */
function isAnswered({ request: { method, url }, response }: Entry): boolean {
  if (method === 'CONNECT' || !URL.canParse(url)) return false;
  return response != null && response.status >= 200 && response.status <= 599;
}

function asUrl(text: string): string {
  return new URL(text).href.replace(/#.*/s, '');
}

function nameTitle({ page, entries }: Load): string {
  return (page?.title || new URL(entries[0]!.request.url).hostname).slice(0, longestTitle);
}

function startOf({ page, entries }: Load): number {
  return Math.min(page?.startedDateTime ?? Infinity, entries[0]!.startedDateTime);
}

function describePage(
  { number, url, visits }: { number: number; url: string; visits: readonly Load[] },
  engine: string,
): SitePage {
  return {
    number,
    url,
    title: visits[0]!.page?.title?.slice(0, 1024) ?? '',
    visits: visits.map((load) => ({
      startEpochMs: startOf(load),
      engine,
      baseMs: readMoment(load, '_baseMs'),
      viewportMs: readMoment(load, '_viewportMs'),
      totalMs: readMoment(load, '_totalMs'),
      ...listWebSockets(load),
    })),
  };
}

/** They are not recorded. */
function listWebSockets({ others }: Load): Pick<SitePage['visits'][number], 'webSockets'> {
  const webSockets = others
    .map(({ request }) => request.url)
    .filter((url) => /^wss?:\/\//.test(url) && url.length <= maximumUrlCharacters)
    .slice(0, mostWebSockets);
  return webSockets.length === 0 ? {} : { webSockets };
}

function readMoment({ page }: Load, name: string): number | null {
  const ms = page?.pageTimings?.[name];
  return typeof ms === 'number' && ms >= 0 && ms <= longestMs ? ms : null;
}

function listHosts(entries: readonly Entry[]): SiteHost[] {
  return [...Map.groupBy(entries, ({ request }) => new URL(request.url).hostname)].map(([name, own]) => {
    // None takes no time: Chrome leaves out what of a connection was before its first request.
    const roundTrips = own.map((entry) => timesOf(entry).connectMs ?? 0).filter((ms) => ms > 0);
    const protocols = new Set(own.map(protocolOf));
    const address = own.find(({ serverIPAddress }) => serverIPAddress)?.serverIPAddress?.replace(/^\[(.*)\]$/, '$1');
    return {
      name,
      address: address !== undefined && isIP(address) ? address : null,
      connectMs: roundTrips.length === 0 ? null : Math.min(...roundTrips),
      // A HAR has no certificates: each host then has one of its own.
      certificateNames: own.some(({ request }) => /^https:/i.test(request.url))
        ? [name.replace(/^\[(.*)\]$/, '$1')]
        : [],
      certificateChain: null,
      protocols: siteProtocols.toReversed().filter((each) => protocols.has(each)),
    };
  });
}

function readVisit(
  load: Load,
  { page, visit, hosts }: { page: number; visit: number; hosts: readonly SiteHost[] },
): RecordedExchange[] {
  const roundTrips = new Map(hosts.map(({ name, connectMs }) => [name, connectMs]));
  const connections = new Map<string, number>();
  const openings = Map.groupBy(
    load.entries.filter((entry) => timesOf(entry).connectMs !== null),
    connectionOf,
  );
  return load.entries.map((entry) => {
    const { request, response, startedDateTime } = entry;
    const { connectMs, tlsMs, aheadMs, waitMs, receiveMs } = timesOf(entry);
    // No connection is opened twice: Firefox writes the port of the server here.
    const isKnown = (openings.get(connectionOf(entry))?.length ?? 0) <= 1;
    const key = isKnown ? connectionOf(entry) : null;
    if (key !== null && !connections.has(key)) connections.set(key, connections.size + 1);
    const sent = request.postData?.text;
    const { headers, body } = readBody(
      entry,
      readHeaders(response!.headers).filter(
        ([name]) => !lengths.test(name) && (response!.content?._isCoded || !coding.test(name)),
      ),
    );
    return {
      page,
      visit,
      url: asUrl(request.url),
      method: request.method,
      requestHeaders: readHeaders(request.headers),
      requestBodySha256: sent ? createHash('sha256').update(sent).digest('hex') : null,
      // What a browser had in its cache is in its HAR: to one without it, the server sends all.
      status: response!.status === 304 && body !== null ? 200 : response!.status,
      headers,
      body,
      trailers: readHeaders(response!._trailers),
      protocol: protocolOf(entry),
      connection: key === null ? null : connections.get(key)!,
      startMs: clamp(startedDateTime - startOf(load) + aheadMs),
      connectMs,
      tlsMs,
      thinkMs: waitMs === null ? null : clamp(waitMs - (roundTrips.get(new URL(request.url).hostname) ?? 0)),
      receiveMs,
      initiatorUrl: readInitiator(entry),
    };
  });
}

/** Of one that opened a connection, `connect` is TCP and TLS. QUIC has one handshake for both (RFC 9001, 4), which browsers call TLS. What a cache took says nothing of a server. */
function timesOf(entry: Entry) {
  const { blocked, dns, connect, ssl, wait, receive } = joinPhases(entry.timings ?? {}, known(entry.time));
  const isCached = isFromCache(entry);
  const isOpening = connect > 0 && !isCached;
  const tlsMs = ssl < 0 || protocolOf(entry) === 'h3' ? null : clamp(ssl);
  return {
    connectMs: isOpening ? clamp(connect - (tlsMs ?? 0)) : null,
    tlsMs: isOpening ? tlsMs : null,
    aheadMs: [blocked, dns, connect].reduce((sum, ms) => sum + Math.max(ms, 0), 0),
    waitMs: wait < 0 || isCached ? null : wait,
    receiveMs: receive < 0 || isCached ? null : clamp(receive),
  };
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, 0), longestMs);
}

function protocolOf({ response }: Entry): SiteProtocol {
  const name = nameProtocol(response?.httpVersion ?? '');
  return name === 'h2' || name === 'h3' ? name : 'http/1.1';
}

/** As HTTP carries them: characters beyond a byte are in UTF-8, and white space around a value is none of it. What is no name is left out. Chrome's protocol writes repeated headers as lines of one. */
function readHeaders(headers: z.output<typeof HeadersSchema>): RecordedExchange['headers'] {
  return (headers ?? []).flatMap(({ name, value }): RecordedExchange['headers'] => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [];
    return value.split(/\r?\n(?![ \t])/).map((line) => {
      // oxlint-disable-next-line no-control-regex -- they are what is left out
      const plain = line.replaceAll(/[\x00-\x08\x0a-\x1f\x7f]+/g, ' ').trim();
      const isBytes = Buffer.from(plain, 'latin1').toString('latin1') === plain;
      return [name, isBytes ? plain : Buffer.from(plain).toString('latin1')];
    });
  });
}

/** Its headers then say that text is in UTF-8, as it is here. */
function readBody(
  { response }: Entry,
  headers: RecordedExchange['headers'],
): Pick<RecordedExchange, 'headers' | 'body'> {
  const { text, encoding } = response!.content ?? {};
  if (!text) return { headers, body: null };
  if (encoding === 'base64') return { headers, body: makeBody(Buffer.from(text, 'base64')) };
  const inUtf8 = headers.map(([name, value]): [string, string] =>
    name.toLowerCase() === 'content-type'
      ? [name, `${value.replace(/;\s*charset=[^;]*/i, '')};charset=utf-8`]
      : [name, value],
  );
  return { headers: inUtf8, body: makeBody(Buffer.from(text)) };
}

function makeBody(bytes: Buffer): RecordedBody {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes: bytes.length, sha256, read: () => [bytes] };
}

/** An address, or an object that has one. */
function readInitiator({ _initiator: initiator }: Entry): string | null {
  const url = typeof initiator === 'object' && initiator !== null && 'url' in initiator ? initiator.url : initiator;
  const initiatorUrl = typeof url === 'string' && comesOverNetwork(url) && URL.canParse(url) ? asUrl(url) : null;
  return initiatorUrl !== null && initiatorUrl.length <= maximumUrlCharacters ? initiatorUrl : null;
}
