import { z } from 'zod';
import { AppError } from '../app-error.ts';
import { decodeText } from '../input/decode-text.ts';
import { describeIssues, formatPath } from '../input/describe-issues.ts';
import { findExcess } from '../input/scan-json.ts';
import { comesOverNetwork } from '../metrics/page-object.ts';
import type { HarTimings } from './har.ts';

const mostDepth = 100;
const mostValues = 3_000_000;
const mostPages = 1000;
const mostEntries = 50_000;

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

export const HarPageSchema = z.object({
  id: z.string(),
  startedDateTime: InstantSchema,
  title: Text,
  pageTimings: z.record(z.string(), z.unknown()).nullish(),
});

/** What every reader of a HAR needs of an entry. */
export const HarEntrySchema = z.object({
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
  /** Of Safari. */
  _fetchType: z.unknown().optional(),
});
type Entry = z.output<typeof HarEntrySchema>;
type Page = z.output<typeof HarPageSchema>;

/** A HAR whose entries have what the schema says. */
function harSchemaOf<EntryOf extends typeof HarEntrySchema>(entry: EntryOf) {
  return z.object({
    log: z.object({
      creator: z.object({ name: z.string(), version: Text }),
      pages: z.array(HarPageSchema).max(mostPages).nullish(),
      entries: z.array(entry).max(mostEntries),
    }),
  });
}

export interface ParsedHar<EntryOf> {
  /** Of the program that wrote it, with its version. */
  creator: string;
  /** With at least one entry of HTTP, each with its entries in the order of their starts; `others` have addresses such as `data:` and `wss:`. Null for those of a HAR without pages. */
  loads: { page: Page | null; entries: EntryOf[]; others: EntryOf[] }[];
}

/** Reads a HAR 1.2 as browsers and tools write it. Throws `invalid-input` with what is wrong, and where. */
export function parseHar<EntryOf extends typeof HarEntrySchema>(
  bytes: Uint8Array,
  { name, entry }: { name: string; entry: EntryOf },
): ParsedHar<z.output<EntryOf>> {
  const json = decodeText(bytes, name);
  const excess = findExcess(json, { mostDepth, mostValues });
  if (excess !== null) throw refuseHar(name, excess);
  const { creator, pages, entries } = parse(json, { name, schema: harSchemaOf(entry) }).log;
  const written = entries as z.output<EntryOf>[];
  const read = creator.name === 'Playwright' ? written.map(correctTls) : written;
  const loads = gatherEntries(pages ?? [], read);
  if (loads.length === 0) throw refuseHar(name, 'has no requests');
  return { creator: [creator.name, creator.version].filter(Boolean).join(' ').slice(0, 200), loads };
}

function parse<Schema extends z.ZodType>(
  json: string,
  { name, schema }: { name: string; schema: Schema },
): z.output<Schema> {
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch (cause) {
    throw refuseHar(name, `is no JSON: ${(cause as Error).message}`, cause);
  }
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [first, ...others] = describeIssues(parsed.error, { schema, input });
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const where = first!.path.length === 0 ? '' : `${formatPath(first!.path)}: `;
  throw refuseHar(name, `is no HAR: ${where}${first!.message}${more}`, parsed.error);
}

/** Each entry at the page that it names; one that names none at the last page that began before it. */
function gatherEntries<EntryOf extends Entry>(
  pages: readonly Page[],
  entries: readonly EntryOf[],
): ParsedHar<EntryOf>['loads'] {
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
    const all = (groups.get(page) ?? []).toSorted((one, other) => one.startedDateTime - other.startedDateTime);
    const isOfHttp = ({ request }: EntryOf) => comesOverNetwork(request.url);
    const own = all.filter(isOfHttp);
    return own.length === 0 ? [] : [{ page, entries: own, others: all.filter((entry) => !isOfHttp(entry)) }];
  });
}

/** −1, null and what is left out mean the same. */
export function known(value: number | null | undefined): number | null {
  return value == null || value < 0 ? null : value;
}

/** Null where the file does not say: Firefox leaves it empty. */
export function connectionOf({ connection }: Entry): string | null {
  return connection == null || connection === '' ? null : String(connection).slice(0, 256);
}

/** Whether the browser had the answer, and no server gave it. A 304 is a server's, for what the cache had. */
export function isFromCache({ cache, response, _servedFromCache, _fromCache, _fetchType }: Entry): boolean {
  const wasCached = Boolean(cache?.beforeRequest) && response?.status !== 304;
  const isOfSafari = _fetchType === 'Memory Cache' || _fetchType === 'Disk Cache';
  return _servedFromCache === true || typeof _fromCache === 'string' || wasCached || isOfSafari;
}

/** Playwright counts TLS twice in `time`, as it is part of `connect`. Without TLS, its `ssl` counts from another instant. */
function correctTls<EntryOf extends Entry>(entry: EntryOf): EntryOf {
  const { timings, time } = entry;
  const ssl = known(timings?.ssl);
  if (ssl === null) return entry;
  const isTls = ssl <= (timings!.connect ?? -1);
  return { ...entry, time: time == null ? time : time - ssl, timings: { ...timings, ssl: isTls ? ssl : -1 } };
}

type Phases = Partial<Record<keyof HarTimings, number | null | undefined>>;

/** TLS is part of `connect`. Some write it beside `connect`: then the sum of all phases is as long as the request only with it. */
export function joinPhases(phases: Phases, timeMs: number | null): HarTimings {
  const read = (name: keyof HarTimings) => known(phases[name]) ?? -1;
  const [blocked, dns, connect, ssl] = [read('blocked'), read('dns'), read('connect'), read('ssl')];
  const [send, wait, receive] = [read('send'), read('wait'), read('receive')];
  const sum = [blocked, dns, connect, send, wait, receive].reduce((total, ms) => total + Math.max(ms, 0), 0);
  const isBeside =
    ssl > connect || (ssl > 0 && timeMs !== null && Math.abs(sum + ssl - timeMs) < Math.abs(sum - timeMs));
  return { blocked, dns, connect: isBeside ? Math.max(connect, 0) + ssl : connect, ssl, send, wait, receive };
}

/** `h2` and `HTTP/2.0` are the same. */
export function nameProtocol(version: string): string | null {
  const name = version.trim().toLowerCase().slice(0, 64);
  if (name === '' || name === 'unknown') return null;
  const major = /^(?:http\/|h)([23])(?:\.0|-\d+)?$/.exec(name)?.[1];
  return major === undefined ? name : `h${major}`;
}

export function refuseHar(name: string, how: string, cause?: unknown): AppError {
  return new AppError('invalid-input', `${name} ${how}`, { cause });
}
