import { AppError } from '#core/app-error.ts';
import type { RequestTruth, TruthLog } from './truth-log.ts';

/**
 * What a Visit's three latencies were as the origin saw them: milliseconds from the arrival of the Visit's first request.
 * A latency is null while something that it counts has not ended. A failed object counts until its failure.
 */
export interface VisitTruth {
  firstRequestEpochMs: number;
  baseMs: number | null;
  viewportMs: number | null;
  totalMs: number | null;
  /** Names of the requested objects, sorted, each once; the base page is not among them. */
  viewportObjects: string[];
  /** Those of the viewport, and all others that the total latency counts. */
  totalObjects: string[];
}

/** The truth of one Visit, by the `visit` parameter of its page. Throws `not-found` when it requested nothing. */
export function truthOf(log: Pick<TruthLog, 'requests'>, visit: string): VisitTruth {
  const requests = log.requests(visit);
  if (requests.length === 0) {
    throw new AppError(
      'not-found',
      `The origin's log has no request of the visit "${visit}": add visit=${visit} to the query of its page`,
    );
  }
  const firstRequestEpochMs = Math.min(...requests.map((request) => request.arrivedEpochMs));
  const base = requests.filter((request) => request.counts === 'base');
  const viewport = requests.filter((request) => request.counts === 'viewport');
  const total = requests.filter((request) => request.counts === 'total');

  const lastEndMs = (counted: RequestTruth[]): number | null => {
    const ends = counted.map((request) => request.endedEpochMs).filter((end) => end !== null);
    return ends.length === 0 || ends.length < counted.length ? null : Math.max(...ends) - firstRequestEpochMs;
  };

  return {
    firstRequestEpochMs,
    baseMs: lastEndMs(base),
    viewportMs: lastEndMs([...base, ...viewport]),
    totalMs: lastEndMs([...base, ...viewport, ...total]),
    viewportObjects: listObjects(viewport),
    totalObjects: listObjects([...viewport, ...total]),
  };
}

function listObjects(requests: RequestTruth[]): string[] {
  return [...new Set(requests.map((request) => request.object ?? request.path))].sort();
}
