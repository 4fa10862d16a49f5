import type { Site, SiteExchange } from './site.ts';

/**
 * Which recorded exchange answers a request of a replay. Exact: the same method, URL and body. Inexact: the same origin, path and method; of these those with the same body, then with the most
 * equal query parameters and the fewest others, then with the most equal headers. What is left is a miss. Of equally good recordings, a session is given one after the other, and then the last one again.
 * A request takes constant time where it is exact, and else time in proportion to the recordings of its path.
 *
 * - `Range`: a recorded 206 or 416 answers only a request for the same range. Where there is none, the whole answer does, as HTTP allows.
 * - Conditional requests: a recorded 304 answers only a conditional request. Where there is none, the recorded answer does, in full.
 * - HEAD: answered as a recorded HEAD, else as the GET, inexactly and without its body.
 */

export interface ReplayRequest {
  method: string;
  /** Absolute. The fragment does not matter. */
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Null without a body. */
  bodySha256: string | null;
}

export type RequestMatch = { kind: 'exact' | 'inexact'; exchange: SiteExchange } | { kind: 'miss' };

/** What one user has been given of a recorded visit. Begin another for each Visit: `createReplaySession`. */
export interface ReplaySession {
  readonly served: Set<number>;
  /** By list of equally good recordings: the first that may not have been given. */
  readonly nextOf: Map<readonly SiteExchange[], number>;
}

export function createReplaySession(): ReplaySession {
  return { served: new Set(), nextOf: new Map() };
}

/** What kind of request an answer is for. */
type Form = 'whole' | 'part' | 'unchanged';

const formsOfStatus: ReadonlyMap<number, Form> = new Map([
  [206, 'part'],
  [416, 'part'],
  [304, 'unchanged'],
]);

interface Candidate {
  exchange: SiteExchange;
  parameters: ReadonlySet<string>;
  headers: ReadonlySet<string>;
}

/** The exchanges of one visit to a recorded page, by what requests are matched with. */
export interface ExchangeIndex {
  readonly exact: ReadonlyMap<string, readonly SiteExchange[]>;
  readonly alike: ReadonlyMap<string, readonly Candidate[]>;
}

export function indexExchanges(site: Site, { page, visit }: { page: number; visit: number }): ExchangeIndex {
  const exact = new Map<string, SiteExchange[]>();
  const alike = new Map<string, Candidate[]>();
  for (const exchange of site.exchanges) {
    if (exchange.page !== page || exchange.visit !== visit) continue;
    const url = readUrl(exchange.url);
    if (!url) continue;
    const form = formsOfStatus.get(exchange.status) ?? 'whole';
    const range = form === 'part' ? readHeader(exchange.requestHeaders, 'range') : null;
    const about = { method: exchange.method, url, form, range } as const;
    const key = exactKey({ ...about, bodySha256: exchange.requestBodySha256 });
    addTo(exact, key, exchange);
    addTo(alike, alikeKey(about), {
      exchange,
      parameters: readParameters(url),
      headers: new Set(exchange.requestHeaders.map(writeHeader)),
    });
  }
  return { exact, alike };
}

/** Answers a request by the recording, and notes in the session what it gave. */
export function matchRequest(index: ExchangeIndex, request: ReplayRequest, session: ReplaySession): RequestMatch {
  const url = readUrl(request.url);
  if (!url) return { kind: 'miss' };
  const { method, bodySha256 } = request;
  const forms = listForms(request);
  for (const form of forms) {
    const key = exactKey({ method, url, bodySha256, ...form });
    const list = index.exact.get(key);
    if (list) return { kind: 'exact', exchange: takeNext(list, session) };
  }
  for (const each of method === 'HEAD' ? ['HEAD', 'GET'] : [method]) {
    for (const form of forms) {
      const list = index.alike.get(alikeKey({ method: each, url, ...form }));
      if (list) return { kind: 'inexact', exchange: chooseAlike(list, { request, url, session }) };
    }
  }
  return { kind: 'miss' };
}

/** The forms that may answer a request, the best first. */
function listForms({ headers }: ReplayRequest): Pick<KeyParts, 'form' | 'range'>[] {
  const range = readHeader(headers, 'range');
  const isConditional = ['if-none-match', 'if-modified-since'].some((name) => readHeader(headers, name) !== null);
  return [
    ...(range === null ? [] : [{ form: 'part' as const, range }]),
    ...(isConditional ? [{ form: 'unchanged' as const, range: null }] : []),
    { form: 'whole', range: null },
  ];
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function takeNext(list: readonly SiteExchange[], { served, nextOf }: ReplaySession): SiteExchange {
  let next = nextOf.get(list) ?? 0;
  while (next < list.length - 1 && served.has(list[next]!.number)) next++;
  nextOf.set(list, next);
  const exchange = list[next]!;
  served.add(exchange.number);
  return exchange;
}

/** Of equally good ones the first that was not given, else the last. */
function chooseAlike(
  list: readonly Candidate[],
  { request, url, session: { served } }: { request: ReplayRequest; url: URL; session: ReplaySession },
): SiteExchange {
  const parameters = readParameters(url);
  const headers = new Set(request.headers.map(writeHeader));
  const ranks: ((candidate: Candidate) => number)[] = [
    ({ exchange }) => (exchange.requestBodySha256 === request.bodySha256 ? 1 : 0),
    (candidate) => countCommon(candidate.parameters, parameters),
    (candidate) => -candidate.parameters.size,
    (candidate) => countCommon(candidate.headers, headers),
  ];
  const best = ranks.reduce(keepBest, list);
  const { exchange } = best.find((candidate) => !served.has(candidate.exchange.number)) ?? best.at(-1)!;
  served.add(exchange.number);
  return exchange;
}

function countCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const each of one) if (other.has(each)) count++;
  return count;
}

function keepBest(candidates: readonly Candidate[], rankOf: (candidate: Candidate) => number): readonly Candidate[] {
  if (candidates.length === 1) return candidates;
  let best: Candidate[] = [];
  let bestRank = -Infinity;
  for (const candidate of candidates) {
    const rank = rankOf(candidate);
    if (rank > bestRank) best = [];
    if (rank >= bestRank) best.push(candidate);
    bestRank = Math.max(rank, bestRank);
  }
  return best;
}

/** Parameters with which pages keep caches from answering. Their values are numbers. */
const cacheBusters: ReadonlySet<string> = new Set(['_', 'cb', 'ts', 'rnd', 't', 'v']);

/** One that is there several times is so many parameters. */
function readParameters({ searchParams }: URL): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const [name, value] of searchParams) {
    if (cacheBusters.has(name) && /^\d+(\.\d+)?$/.test(value)) continue;
    const parameter = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    times.set(parameter, (times.get(parameter) ?? 0) + 1);
  }
  return new Set(
    [...times].flatMap(([parameter, count]) => Array.from({ length: count }, (_, at) => `${parameter}&${at}`)),
  );
}

interface KeyParts {
  method: string;
  url: URL;
  form: Form;
  /** Of a part. */
  range: string | null;
}

function exactKey({ method, url, form, range, bodySha256 }: KeyParts & { bodySha256: string | null }): string {
  return JSON.stringify([method, url.href, form, range, bodySha256]);
}

function alikeKey({ method, url: { origin, pathname }, form, range }: KeyParts): string {
  return JSON.stringify([method, origin, pathname, form, range]);
}

/** As addresses of pages and of requests are compared; null for one that is none. */
export function addressOf(url: string): string | null {
  return readUrl(url)?.href ?? null;
}

/** Null for an address that is none. */
function readUrl(address: string): URL | null {
  // The address of a page has no braces: there, they would be a pattern.
  const url = URL.parse(address.replaceAll('{', '%7B').replaceAll('}', '%7D'));
  if (url) url.hash = '';
  return url;
}

function readHeader(headers: ReplayRequest['headers'], wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
}

function writeHeader([name, value]: readonly [string, string]): string {
  return `${name.toLowerCase()}: ${value}`;
}
