import type { Measurement, Metrics } from './metric-definition.ts';
import { comesOverNetwork } from './page-object.ts';
import { outcomeOf } from './request-outcome.ts';
import type { NetworkRequest } from './network-request.ts';
import type { Snapshot } from './snapshot.ts';

/** The content type of a replay's 404 for what it has nothing recorded of: by it, a miss is no recorded 404. Browsers show it as text. */
export const replayMissType = 'text/x-http-ae-replay-miss';

/** A replay with a larger share of misses is another page than the recorded one. */
export const mostMissesRatio = 0.01;

export const replayMisses = {
  replayMissCount: {
    unit: 'count',
    label: 'Missing in the recording',
    definition: 'Requests of a replayed page that the recording has nothing like. The replay answers them by 404.',
    source: 'HTTP-AE',
    since: 10,
  },
} as const satisfies Metrics;

export function measureReplayMisses(snapshot: Snapshot): Measurement {
  return snapshot.replay ? { value: findReplayMisses(snapshot).misses.length } : { reason: 'not-applicable' };
}

/** The requests that a replay had no answer for, of those that were sent. `areTooMany`: more than 1 %. */
export function findReplayMisses({ requests }: Pick<Snapshot, 'requests'>): {
  misses: NetworkRequest[];
  sent: number;
  areTooMany: boolean;
} {
  const sent = requests.filter(wasSent);
  const misses = sent.filter(isMiss);
  return { misses, sent: sent.length, areTooMany: misses.length > mostMissesRatio * sent.length };
}

/** Not where the browser had it already, nor where it forbade it, as by a policy of the page: then nobody was asked. */
export function wasSent(request: NetworkRequest): boolean {
  return comesOverNetwork(request.url) && !request.fromCache && outcomeOf(request) !== 'never-sent';
}

/** Whether an answer with this content type is a miss. */
export function isReplayMissType(contentType: string): boolean {
  return contentType.startsWith(replayMissType);
}

/** The engine `http` notes the content type alone. */
function isMiss({ isReplayMiss, exchange }: NetworkRequest): boolean {
  return isReplayMiss === true || isReplayMissType(exchange?.mimeType ?? '');
}
