import { findMeeting, type QueuedRun } from './find-meeting.ts';
import type { AwaitedRun, Meeting } from '../../core/protocol/meeting.ts';

const rule: Meeting = { kind: 'rule', names: [] };

/**
 * For each Run that waits, in the order in which they were started: the Runs that it waits for, those under way first. It waits for each that it meets,
 * also for an earlier one that waits itself: so none is overtaken by what it meets, and each has its turn. An earlier one that is not ready holds up
 * nobody, or a host that never comes would.
 */
export function planQueue(
  runs: readonly QueuedRun[],
  { oneAtATime }: { oneAtATime: boolean },
): Map<string, AwaitedRun[]> {
  const before = runs.filter(({ isUnderWay }) => isUnderWay);
  const plan = new Map<string, AwaitedRun[]>();
  for (const run of runs) {
    if (run.isUnderWay) continue;
    plan.set(
      run.id,
      before.flatMap((earlier) => {
        const meeting = oneAtATime ? rule : findMeeting(run, earlier);
        return meeting ? [{ ...meeting, runId: earlier.id, evaluationName: earlier.name }] : [];
      }),
    );
    if (run.isReady) before.push(run);
  }
  return plan;
}
