import { z } from 'zod';
import { AppError } from '../app-error.ts';
import { decodeText } from '../input/decode-text.ts';
import { describeIssues, formatPath } from '../input/describe-issues.ts';
import { findExcess } from '../input/scan-json.ts';
import type { MetricId } from '../metrics/index.ts';
import { comesOverNetwork } from '../metrics/page-object.ts';
import { maximumUrlCharacters, type NetworkRequest } from '../metrics/snapshot.ts';
import type { HarTimings } from './har.ts';
import { readHarMoments, readHarType } from './har-words.ts';
import { redactUrl } from './redact-url.ts';

/** A HAR with the bodies of a large page has some ten megabytes. */
export const mostHarBytes = 128 * 1024 * 1024;
const mostDepth = 100;
const mostValues = 3_000_000;
const mostPages = 1000;
const mostEntries = 50_000;

/** What a HAR says of a load that another program recorded. */
export interface ReadHar {
  /** Of the program that wrote it, with its version. */
  creator: string;
  pages: HarLoad[];
}

/** One page of a HAR. */
export interface HarLoad {
  title: string;
  /** Of the page, or of its first request where that began before. */
  startEpochMs: number;
  /** Moments of the page by the metrics that are nearest to them, in ms from its start. */
  moments: Partial<Record<MetricId, number>>;
  /** In the order of their starts. */
  requests: HarRequest[];
  /** How many entries are none of the network, such as `data:` URLs. */
  leftOut: number;
}

export interface HarRequest {
  url: string;
  type: NetworkRequest['type'];
  startEpochMs: number;
  /** `ssl` is part of `connect`. */
  timings: HarTimings;
  /** As the file says; null where it does not. */
  timeMs: number | null;
  failure: string | null;
  status: number | null;
  /** As ALPN names it. */
  protocol: string | null;
  fromCache: boolean;
  connectionId: string | null;
  serverAddress: string | null;
  initiatorUrl: string | null;
  /** Header and body, as far as the file has them. */
  receivedBytes: number | null;
  decodedBytes: number | null;
}

const longestMs = 1e9;
/** −1, null and what is left out mean the same. */
const Ms = z.number().min(-longestMs).max(longestMs).nullish();
const Bytes = z.number().max(Number.MAX_SAFE_INTEGER).nullish();
const Text = z.string().nullish();

const InstantSchema = z.string().transform((text, context) => {
  // A date would cut microseconds off.
  const [, whole = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\dT[\d:]{5,8})(\.\d+)?(Z|[+-]\d\d:?\d\d)$/i.exec(text) ?? [];
  const epochMs = Date.parse(`${whole}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  if (epochMs > 0) return epochMs + Number(`0${fraction}`) * 1000;
  context.issues.push({
    code: 'custom',
    message: 'must be a time after 1970 with its zone, such as 2026-11-28T10:00:00.123Z',
    input: text,
  });
  return z.NEVER;
});

const PageSchema = z.object({
  id: z.string(),
  startedDateTime: InstantSchema,
  title: Text,
  pageTimings: z.record(z.string(), z.unknown()).nullish(),
});

const EntrySchema = z.object({
  pageref: Text,
  startedDateTime: InstantSchema,
  time: Ms,
  request: z.object({ url: z.string() }),
  response: z
    .object({
      status: z.number(),
      httpVersion: Text,
      headersSize: Bytes,
      bodySize: Bytes,
      content: z.object({ size: Bytes, mimeType: Text }).nullish(),
      _transferSize: Bytes,
      _error: z.unknown().optional(),
    })
    .nullish(),
  timings: z.object({ blocked: Ms, dns: Ms, connect: Ms, ssl: Ms, send: Ms, wait: Ms, receive: Ms }).nullish(),
  cache: z.object({ beforeRequest: z.unknown().optional() }).nullish(),
  serverIPAddress: Text,
  connection: z.union([z.string(), z.number()]).nullish(),
  _resourceType: z.unknown().optional(),
  _initiator: z.unknown().optional(),
  _servedFromCache: z.unknown().optional(),
  _fromCache: z.unknown().optional(),
});
type Entry = z.output<typeof EntrySchema>;

const HarSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string(), version: Text }),
    pages: z.array(PageSchema).max(mostPages).nullish(),
    entries: z.array(EntrySchema).max(mostEntries),
  }),
});

/**
 * Reads a HAR 1.2 as browsers and tools write it. `name` is that of the file. Throws `invalid-input` with what is wrong, and where. Cookies, headers and
 * bodies are not read, and secret values of addresses are left out.
 */
export function readHar(bytes: Uint8Array, name: string): ReadHar {
  if (bytes.length > mostHarBytes)
    throw refuse(name, `has more than ${mostHarBytes / 1024 ** 2} MiB: save it without the contents of responses`);
  const json = decodeText(bytes, name);
  const excess = findExcess(json, { mostDepth, mostValues });
  if (excess !== null) throw refuse(name, excess);
  const { creator, pages, entries } = parse(json, name).log;
  const loads = gatherEntries(pages ?? [], entries);
  if (loads.length === 0) throw refuse(name, 'has no requests');
  return { creator: [creator.name, creator.version].filter(Boolean).join(' ').slice(0, 200), pages: loads };
}

function parse(json: string, name: string): z.output<typeof HarSchema> {
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch (cause) {
    throw refuse(name, `is no JSON: ${(cause as Error).message}`, cause);
  }
  const parsed = HarSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [first, ...others] = describeIssues(parsed.error, { schema: HarSchema, input });
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const where = first!.path.length === 0 ? '' : `${formatPath(first!.path)}: `;
  throw refuse(name, `is no HAR: ${where}${first!.message}${more}`, parsed.error);
}

/** Each entry at the page that it names; one that names none at the last page that began before it. */
function gatherEntries(pages: readonly z.output<typeof PageSchema>[], entries: readonly Entry[]): HarLoad[] {
  const inOrder = pages.toSorted((one, other) => one.startedDateTime - other.startedDateTime);
  const byId = new Map(inOrder.map((page) => [page.id, page]));
  const groups = Map.groupBy(
    entries,
    ({ pageref, startedDateTime }) =>
      byId.get(pageref ?? '') ??
      inOrder.findLast((page) => page.startedDateTime <= startedDateTime) ??
      inOrder[0] ??
      null,
  );
  return [...(inOrder.length === 0 ? [null] : inOrder)].flatMap((page) => {
    const own = groups.get(page) ?? [];
    const requests = own
      .filter(({ request }) => comesOverNetwork(request.url))
      .map(readEntry)
      .sort((one, other) => one.startEpochMs - other.startEpochMs);
    const [first] = requests;
    if (!first) return [];
    const startEpochMs = Math.min(page?.startedDateTime ?? Infinity, first.startEpochMs);
    return {
      title: redactUrl((page?.title || first.url).slice(0, maximumUrlCharacters)),
      startEpochMs,
      moments: page ? readHarMoments(page.pageTimings ?? {}, page.startedDateTime - startEpochMs) : {},
      requests,
      leftOut: own.length - requests.length,
    };
  });
}

function readEntry(entry: Entry): HarRequest {
  const { request, response, timings, cache, startedDateTime } = entry;
  const { status = 0, content, _error: error } = response ?? {};
  const timeMs = known(entry.time);
  return {
    url: cleanUrl(request.url),
    type: readHarType(entry._resourceType, content?.mimeType ?? ''),
    startEpochMs: startedDateTime,
    timings: joinPhases(timings ?? {}, timeMs),
    timeMs,
    failure: typeof error === 'string' && error !== '' ? error.slice(0, 1024) : null,
    status: status > 0 ? status : null,
    protocol: nameProtocol(response?.httpVersion ?? ''),
    fromCache: entry._servedFromCache === true || typeof entry._fromCache === 'string' || Boolean(cache?.beforeRequest),
    connectionId: entry.connection == null || entry.connection === '' ? null : String(entry.connection).slice(0, 256),
    serverAddress: entry.serverIPAddress?.replace(/^\[(.*)\]$/, '$1').slice(0, 64) || null,
    initiatorUrl: readInitiator(entry._initiator),
    receivedBytes: known(response?._transferSize) ?? sumBytes(known(response?.headersSize), known(response?.bodySize)),
    decodedBytes: known(content?.size),
  };
}

const cleanUrl = (url: string) => redactUrl(url.slice(0, maximumUrlCharacters));

function known(value: number | null | undefined): number | null {
  return value == null || value < 0 ? null : value;
}

/** The body alone where the header is not known. */
function sumBytes(headers: number | null, body: number | null): number | null {
  return body === null ? null : body + (headers ?? 0);
}

type Phases = Partial<Record<keyof HarTimings, number | null | undefined>>;

/** TLS is part of `connect`. Some write it beside `connect`: then the sum of all phases is as long as the request only with it. */
function joinPhases(phases: Phases, timeMs: number | null): HarTimings {
  const read = (name: keyof HarTimings) => known(phases[name]) ?? -1;
  const [blocked, dns, connect, ssl] = [read('blocked'), read('dns'), read('connect'), read('ssl')];
  const [send, wait, receive] = [read('send'), read('wait'), read('receive')];
  const sum = [blocked, dns, connect, send, wait, receive].reduce((total, ms) => total + Math.max(ms, 0), 0);
  const isBeside =
    ssl > connect || (ssl > 0 && timeMs !== null && Math.abs(sum + ssl - timeMs) < Math.abs(sum - timeMs));
  return { blocked, dns, connect: isBeside ? Math.max(connect, 0) + ssl : connect, ssl, send, wait, receive };
}

/** `h2` and `HTTP/2.0` are the same. */
function nameProtocol(version: string): string | null {
  const name = version.trim().toLowerCase().slice(0, 64);
  if (name === '' || name === 'unknown') return null;
  const major = /^(?:http\/|h)([23])(?:\.0|-\d+)?$/.exec(name)?.[1];
  return major === undefined ? name : `h${major}`;
}

/** An address, or an object that has one. */
function readInitiator(initiator: unknown): string | null {
  const url = typeof initiator === 'object' && initiator !== null && 'url' in initiator ? initiator.url : initiator;
  return typeof url === 'string' && comesOverNetwork(url) ? cleanUrl(url) : null;
}

function refuse(name: string, how: string, cause?: unknown): AppError {
  return new AppError('invalid-input', `${name} ${how}`, { cause });
}
