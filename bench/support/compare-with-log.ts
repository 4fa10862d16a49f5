import { type MetricId, deriveReadings } from '#core/metrics/index.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findPageObjects } from '#core/metrics/find-page-objects.ts';
import { findMainFrame, findNavigationStart } from '#core/metrics/navigation-start.ts';
import type { PageObject } from '#core/metrics/page-object.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { LoggedRequest } from './start-document-server.ts';

/** What a Visit and the server's log say of the same load. Numbers have to be equal. */
export interface ComparedVisit {
  objects: Pair;
  failed: Pair;
  decodedBytes: Pair;
  /** Null where the server cannot know: with HTTP/2, a connection carries several answers at once. */
  receivedBytes: Pair | null;
  /** Milliseconds from the first request to the last byte over the network. */
  totalMs: Pair;
  /** What disagrees, beside the time. */
  faults: string[];
  /** What docs/metrics.md leaves out of the counts, by its reason, and what came from the cache. */
  leftOut: string[];
}

export interface Pair {
  /** NaN where it is absent. */
  engine: number;
  log: number;
}

interface Served {
  url: string;
  /** Paths of the icons that the document names. */
  icons: ReadonlySet<string>;
  /** Whether the engine has sizes from the page alone. */
  estimatesHeads: boolean;
}

/** What a page is shown for the head of any answer: https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-transfersize */
const entryHeadBytes = 300;

/**
 * Compares one Visit with the log of its requests. What counts is decided from the log alone, by what the client said that it wanted each for: only whether a script's fetch came before
 * the load event is the page's own knowledge.
 */
export function compareWithLog(snapshot: Snapshot, log: readonly LoggedRequest[], served: Served): ComparedVisit {
  const { origin, port } = new URL(served.url);
  const faults: string[] = [];
  if (!snapshot.settled) faults.push('it did not settle');
  const objects = findCountedObjects(snapshot);
  const foreign = objects.filter(({ url }) => new URL(url).origin !== origin);
  for (const { url } of foreign) faults.push(`it asked another host: ${url}`);

  const cached = objects.flatMap(listCached);
  const sent = objects.flatMap(listSent).filter((url) => url.startsWith(`${origin}/`));
  const mine = log.filter((request) => String(request.port) === port);
  const verdicts = mine.map((request) => ({ request, reason: reasonToLeaveOut(request, { snapshot, ...served }) }));
  const counted = verdicts.filter(({ reason }) => reason === null).map(({ request }) => request);

  faults.push(
    ...listDifferences(
      sent.map(targetOf),
      counted.map(({ target }) => target),
    ),
  );
  const readings = deriveReadings(snapshot);
  const valueOf = (metric: MetricId): number => {
    const reading = readings.find((each) => each.metric === metric);
    if (reading?.kind === 'measured') return reading.value;
    faults.push(`${metric} is absent: ${reading?.reason ?? 'no Reading'}`);
    return NaN;
  };
  // An object from the cache has its body again, and no byte on the wire.
  const cachedBytes = sum(cached.map((url) => mine.find(({ target }) => target === targetOf(url))?.fileBytes ?? 0));
  const wireBytes = counted.map((request) =>
    served.estimatesHeads ? request.bodyBytes + entryHeadBytes : request.wireBytes,
  );
  // The log knows nothing of an object from the cache, with which the total may end.
  const lastEpochMs = Math.max(
    ...objects.filter((object) => listCached(object).length === 0).map(({ endEpochMs }) => endEpochMs ?? NaN),
  );
  const totalMs = valueOf('totalMs');
  const cachedMs = totalMs - (lastEpochMs - findNavigationStart(snapshot));
  const compared: ComparedVisit = {
    objects: { engine: objects.length - cached.length, log: counted.length },
    failed: { engine: valueOf('failedObjectCount'), log: counted.filter(isFailed).length },
    decodedBytes: {
      engine: valueOf('decodedBytes'),
      log: sum(counted.map(({ fileBytes }) => fileBytes)) + cachedBytes,
    },
    receivedBytes: wireBytes.some((bytes) => bytes === null)
      ? null
      : { engine: valueOf('receivedBytes'), log: sum(wireBytes.map((bytes) => bytes!)) },
    totalMs: {
      engine: totalMs - cachedMs - valueOf('requestStartMs'),
      log:
        Math.max(...counted.map(({ endedEpochMs }) => endedEpochMs ?? Infinity)) -
        Math.min(...counted.map(({ arrivedEpochMs }) => arrivedEpochMs)),
    },
    faults,
    leftOut: countReasons([...verdicts.map(({ reason }) => reason), ...cached.map(() => 'from the cache')]),
  };
  if (cachedMs > 0) compared.leftOut.push('the end of the last one from the cache');
  const lost = counted.filter(isFailed);
  const mostLost = { objects: 0, failed: 0, decodedBytes: sum(lost.map(({ fileBytes }) => fileBytes)) };
  const receivedLost = sum(lost.map((request) => (request.wireBytes ?? 0) + entryHeadBytes));
  for (const [name, most] of Object.entries({ ...mostLost, receivedBytes: receivedLost })) {
    const pair = compared[name as keyof typeof mostLost | 'receivedBytes'];
    if (pair === null || pair.engine === pair.log) continue;
    // Chrome drops parts of an answer with an error status: the body of a script, the head of an image.
    const missing = pair.log - pair.engine;
    if (missing > 0 && missing <= most) compared.leftOut.push(`${missing} ${name} of failed objects`);
    else faults.push(`${name}: ${pair.engine}, the log has ${pair.log}`);
  }
  return compared;
}

/** What it asked the server for. */
function listSent({ url, hops, ...object }: PageObject): string[] {
  if (hops.length > 0) return hops.filter(({ fromCache }) => !fromCache).map((hop) => hop.url);
  return listCached({ url, hops, ...object }).length > 0 ? [] : [url];
}

/** Of an object that came from the cache. Firefox reports no request of some: then its entry shows it. */
function listCached({ url, hops, entry }: PageObject): string[] {
  if (hops.length > 0) return hops.filter(({ fromCache }) => fromCache).map((hop) => hop.url);
  return entry !== null && entry.transferSize === 0 && entry.decodedBodySize > 0 ? [url] : [];
}

/** Null for what counts by docs/metrics.md, “When a page has settled”. */
function reasonToLeaveOut(
  { target, method, destination, purpose, arrivedEpochMs }: LoggedRequest,
  { snapshot, icons }: { snapshot: Snapshot; icons: ReadonlySet<string> },
): string | null {
  const { timeOrigin, navigation } = findMainFrame(snapshot);
  const { pathname } = new URL(target, 'http://documents');
  if (arrivedEpochMs > snapshot.takenEpochMs) return 'after the page had settled';
  if (icons.has(pathname) || pathname === '/favicon.ico') return 'icon';
  if (purpose?.includes('prefetch')) return 'prefetch';
  if (method !== 'GET') return 'beacon';
  if (destination === 'audio' || destination === 'video' || destination === 'manifest') return destination;
  // On a busy machine a fetch arrives long after the script has made it.
  const madeEpochMs = findPageObjects(snapshot).find(({ url }) => targetOf(url) === target)?.startEpochMs;
  const isLate = (madeEpochMs ?? arrivedEpochMs) >= timeOrigin + (navigation?.loadEventStart ?? Infinity);
  return destination === 'empty' && isLate ? 'fetch after the load event' : null;
}

function isFailed({ status, isComplete }: LoggedRequest): boolean {
  return status >= 400 || !isComplete;
}

function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function listDifferences(engine: readonly string[], log: readonly string[]): string[] {
  return [...new Set([...engine, ...log])].flatMap((target) => {
    const [counted, logged] = [engine, log].map((targets) => targets.filter((each) => each === target).length);
    return counted === logged ? [] : [`${target}: counted ${counted} times, in the log ${logged} times`];
  });
}

function countReasons(reasons: readonly (string | null)[]): string[] {
  const given = reasons.filter((reason) => reason !== null);
  return [...new Set(given)].map((reason) => `${given.filter((each) => each === reason).length} ${reason}`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
