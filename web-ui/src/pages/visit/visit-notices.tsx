import { Alert } from '@mantine/core';
import type { VisitRemark } from '#core/metrics/snapshot.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';

const remarkTitles: Record<VisitRemark['code'], string> = {
  'incomplete-requests': 'The browser reported some requests wrongly',
  'unread-bodies': 'The end of some answers is not reported',
  'unused-hints': 'Objects of early hints may be missing',
  'silent-frames': 'Some frames did not answer',
  'replay-misses': 'The recording lacks some of what the page asked for',
  'unassigned-scripts': 'Scripts of workers may be missing',
};

/** The warnings of a Visit. */
export function VisitNotices({ visit }: { visit: VisitDetail }) {
  const { status, code, detail, snapshot, warmUp, repetition } = visit;
  const isHidden =
    snapshot?.frames.some(
      (frame) => frame.path.length === 0 && (frame.wasEverHidden || frame.visibilityState !== 'visible'),
    ) ?? false;
  return (
    <>
      {status === 'failed' && (
        <Alert color="red" variant="light" title={`The Visit failed: ${code}`} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Alert>
      )}
      {snapshot && !snapshot.settled && (
        <Alert color="yellow" variant="light" title="The page did not settle">
          Something was in flight at the hard cap, or the page was never quiet. Its total latency covers what had
          arrived by then. If an object that counts was still in flight, the total latency is not known.
        </Alert>
      )}
      {snapshot?.remarks?.map((remark) => (
        <Alert
          key={remark.code}
          color="yellow"
          variant="light"
          title={remarkTitles[remark.code]}
          style={{ overflowWrap: 'anywhere' }}
        >
          {remark.detail}
        </Alert>
      ))}
      {status === 'ok' && snapshot === null && (
        <Alert color="gray" variant="light" title="Its Snapshot was deleted">
          The retention setting keeps it no longer. The Readings are complete; requests and HAR are gone.
        </Alert>
      )}
      {isHidden && (
        <Alert color="yellow" variant="light" title="The tab was hidden">
          A browser holds back timings and paints of a hidden page. The Visit is kept and flagged.
        </Alert>
      )}
      {(warmUp || repetition === 0) && (
        <Alert color="gray" variant="light" title="Not in the statistics">
          {warmUp
            ? 'This Visit belongs to the warm-up Block.'
            : 'This load filled the cache of a warm Pass. It is not measured.'}
        </Alert>
      )}
    </>
  );
}
