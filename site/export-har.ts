import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { formatInstant, harTypes, readHarType } from '#core/har/har-words.ts';
import { isZlib } from '#core/http1/message-body.ts';
import { mostBodyBytes, type Site, type SiteExchange, type SitePage } from '#core/site/site.ts';
import type { OpenSite } from './open-site.ts';

type Headers = SiteExchange['headers'];

const decoders: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: (bytes, options) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, options),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
/** Where a HAR wants a number that is not known. */
const unknown = -1;

/** A Site as HAR 1.2, in parts of text: one page for each visit, and bodies without their content coding. */
export async function* writeHarOfSite(opened: OpenSite): AsyncGenerator<string> {
  const { site } = opened;
  const [name, version = ''] = site.software.split(/ (?=[^ ]*$)/);
  const pages = listPages(site).map(({ id, page, visit }) => describePage(id, { page, visit, site }));
  yield `{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"pages":${JSON.stringify(pages)},"entries":[`;
  for (const [index, exchange] of site.exchanges.entries())
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(await describeExchange(exchange, opened))}`;
  yield ']}}\n';
}

function idOf({ page, visit }: Pick<SiteExchange, 'page' | 'visit'>): string {
  return `page_${page}_${visit}`;
}

/** Every visit that has exchanges. */
function listPages({ pages, exchanges }: Site): { id: string; page: SitePage; visit: number }[] {
  const places = new Map(exchanges.map((exchange) => [idOf(exchange), exchange]));
  return [...places].map(([id, { page, visit }]) => ({ id, page: pages[page - 1]!, visit }));
}

function startOf(site: Site, { page, visit }: Pick<SiteExchange, 'page' | 'visit'>): number {
  return site.pages[page - 1]!.visits[visit - 1]?.startEpochMs ?? site.recordedEpochMs;
}

function describePage(id: string, { page, visit, site }: { page: SitePage; visit: number; site: Site }) {
  const { baseMs = null, viewportMs = null, totalMs = null, engine = '' } = page.visits[visit - 1] ?? {};
  const readings = Object.entries({ _baseMs: baseMs, _viewportMs: viewportMs, _totalMs: totalMs });
  return {
    startedDateTime: formatInstant(startOf(site, { page: page.number, visit })),
    id,
    title: page.title || page.url,
    pageTimings: {
      onContentLoad: unknown,
      onLoad: unknown,
      ...Object.fromEntries(readings.filter(([, ms]) => ms !== null)),
    },
    comment: engine,
  };
}

async function describeExchange(exchange: SiteExchange, opened: OpenSite) {
  const { url, method, status, protocol, startMs, connectMs, tlsMs, connection, initiatorUrl, trailers } = exchange;
  const host = opened.site.hosts.find(({ name }) => name === new URL(url).hostname)!;
  const connect = connectMs === null ? unknown : connectMs + (tlsMs ?? 0);
  const wait = (exchange.thinkMs ?? 0) + (host.connectMs ?? 0);
  const receive = exchange.receiveMs ?? 0;
  const mimeType = valueOf(exchange.headers, 'content-type') ?? '';
  const httpVersion = { 'http/1.1': 'HTTP/1.1', h2: 'HTTP/2', h3: 'HTTP/3' }[protocol];
  const message = { httpVersion, cookies: [], headersSize: unknown };
  return {
    pageref: idOf(exchange),
    startedDateTime: formatInstant(startOf(opened.site, exchange) + startMs - Math.max(connect, 0)),
    time: Math.max(connect, 0) + wait + receive,
    request: {
      ...message,
      method,
      url,
      headers: asHarHeaders(exchange.requestHeaders),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      bodySize: exchange.requestBodySha256 === null ? 0 : unknown,
    },
    response: {
      ...message,
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: asHarHeaders(exchange.headers),
      content: { mimeType, ...(await readContent(exchange, { opened, mimeType })) },
      redirectURL: valueOf(exchange.headers, 'location') ?? '',
      bodySize: exchange.body?.bytes ?? 0,
      ...(trailers.length > 0 && { _trailers: asHarHeaders(trailers) }),
    },
    cache: {},
    timings: {
      blocked: unknown,
      dns: unknown,
      connect,
      ssl: connectMs === null ? unknown : (tlsMs ?? unknown),
      send: 0,
      wait,
      receive,
    },
    ...(host.address !== null && { serverIPAddress: host.address }),
    ...(connection !== null && { connection: String(connection) }),
    ...(initiatorUrl !== null && { _initiator: { type: 'other', url: initiatorUrl } }),
    _resourceType: harTypes[readHarType(undefined, mimeType)],
  };
}

async function readContent(exchange: SiteExchange, { opened, mimeType }: { opened: OpenSite; mimeType: string }) {
  if (exchange.body === null) return { size: 0 };
  const wire = await buffer(opened.readBody(exchange));
  const content = decode(wire, valueOf(exchange.headers, 'content-encoding') ?? '');
  if (content === null)
    return {
      size: wire.length,
      text: wire.toString('base64'),
      encoding: 'base64',
      _isCoded: true,
      comment: 'Its content coding cannot be undone: the bytes are as they were sent.',
    };
  const isText = isTextType(mimeType) && isUtf8(content) && !content.includes(0) && !content.includes(escape);
  return {
    size: content.length,
    ...(isText ? { text: content.toString() } : { text: content.toString('base64'), encoding: 'base64' }),
  };
}

/** Of ISO-2022-JP: its texts are valid UTF-8, and say something else in it. So do those of UTF-16, which have zeros. */
const escape = 0x1b;

/** Whether bytes of a type that are UTF-8 can be meant as it. */
function isTextType(mimeType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(mimeType)?.[1]?.toLowerCase() ?? 'utf-8';
  return /^text\/|[/+](json|xml|javascript|ecmascript)\b/i.test(mimeType) && /^(utf-?8|us-ascii|ascii)$/.test(charset);
}

/** Null where that cannot be done. */
function decode(wire: Buffer, codings: string): Buffer | null {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');
  try {
    return names.reduceRight((bytes, name) => decoders[name]!(bytes, { maxOutputLength: mostBodyBytes }), wire);
  } catch {
    return null; // unknown, damaged, or larger than any body may be
  }
}

function valueOf(headers: Headers, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function asHarHeaders(headers: Headers): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}
