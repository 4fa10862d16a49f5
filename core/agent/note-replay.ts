import { findReplayMisses } from '../metrics/replay-misses.ts';
import type { ReplayedPage, Snapshot, VisitRemark } from '../metrics/snapshot.ts';
import type { VisitOutcome } from '../protocol/visit.ts';
import { nameUrls } from './page-activity/describe-activity.ts';

/** The outcome of a replayed page: its Snapshot says that it was, and remarks too many misses. */
export function noteReplay(outcome: VisitOutcome, replay: ReplayedPage): VisitOutcome {
  if (outcome.status === 'ok') return { ...outcome, snapshot: noteInSnapshot(outcome.snapshot, replay) };
  return { ...outcome, snapshot: outcome.snapshot && noteInSnapshot(outcome.snapshot, replay) };
}

function noteInSnapshot(snapshot: Snapshot, replay: ReplayedPage): Snapshot {
  const remarks = [...(snapshot.remarks ?? []), ...remarkMisses(snapshot)];
  return { ...snapshot, replay, ...(remarks.length > 0 && { remarks }) };
}

function remarkMisses(snapshot: Snapshot): VisitRemark[] {
  const { misses, sent, areTooMany } = findReplayMisses(snapshot);
  if (!areTooMany) return [];
  const urls = misses.map(({ url }) => url);
  return [
    {
      code: 'replay-misses',
      detail: `The recording has nothing like ${misses.length} of ${sent} requests. They were answered by 404: ${nameUrls(urls)}`,
    },
  ];
}
