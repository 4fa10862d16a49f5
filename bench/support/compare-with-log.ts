import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import type { MetricId } from '#core/metrics/catalogue.ts';
import { deriveReadings } from '#core/metrics/derive-readings.ts';
import { findMainFrame } from '#core/metrics/navigation-start.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { LoggedRequest } from './start-document-server.ts';

/** What a Visit and the server's log say of the same load. Numbers have to be equal. */
export interface ComparedVisit {
  objects: Pair;
  failed: Pair;
  decodedBytes: Pair;
  /** Null where the server cannot know: with HTTP/2, a connection carries several answers at once. */
  receivedBytes: Pair | null;
  /** Milliseconds from the first request to the last byte. */
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
}

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

  const requested = objects.flatMap(({ url, hops }) => (hops.length === 0 ? [{ url, fromCache: false }] : hops));
  const cached = requested.filter(({ fromCache }) => fromCache);
  const sent = requested.filter((request) => !request.fromCache && request.url.startsWith(`${origin}/`));
  const mine = log.filter((request) => String(request.port) === port);
  const verdicts = mine.map((request) => ({ request, reason: reasonToLeaveOut(request, { snapshot, ...served }) }));
  const counted = verdicts.filter(({ reason }) => reason === null).map(({ request }) => request);

  faults.push(
    ...listDifferences(
      sent.map(({ url }) => targetOf(url)),
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
  const compared: ComparedVisit = {
    objects: { engine: objects.length - cached.length, log: counted.length },
    failed: { engine: valueOf('failedObjectCount'), log: counted.filter(isFailed).length },
    decodedBytes: {
      engine: valueOf('decodedBytes'),
      log: sum(counted.map(({ fileBytes }) => fileBytes)),
    },
    receivedBytes: counted.some(({ wireBytes }) => wireBytes === null)
      ? null
      : { engine: valueOf('receivedBytes'), log: sum(counted.map(({ wireBytes }) => wireBytes!)) },
    totalMs: {
      engine: valueOf('totalMs') - valueOf('requestStartMs'),
      log:
        Math.max(...counted.map(({ endedEpochMs }) => endedEpochMs ?? Infinity)) -
        Math.min(...counted.map(({ arrivedEpochMs }) => arrivedEpochMs)),
    },
    faults,
    leftOut: countReasons([...verdicts.map(({ reason }) => reason), ...cached.map(() => 'from the cache')]),
  };
  for (const name of ['objects', 'failed', 'decodedBytes'] as const) {
    const { engine, log: logged } = compared[name];
    if (engine !== logged) faults.push(`${name}: ${engine}, the log has ${logged}`);
  }
  return compared;
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
  const isLate = arrivedEpochMs > timeOrigin + (navigation?.loadEventStart ?? Infinity);
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
