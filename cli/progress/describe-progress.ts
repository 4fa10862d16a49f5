import type { RunDetail } from '#core/protocol/api/run.ts';
import { estimateTimeLeftMs, measuringMs } from '#core/protocol/api/run-times.ts';
import { describeWaiting } from '#core/run-queue/meeting.ts';
import { formatRoughDuration } from '../format-rough-duration.ts';
import { showPlainly } from '../show-plainly.ts';

/** The progress of a Run, in one line; with how many Visits each User Agent has made, unless `withVisits` is false. */
export function describeProgress(
  run: RunDetail,
  { nowEpochMs, withVisits = true }: { nowEpochMs: number; withVisits?: boolean },
): string {
  const start = `Run ${run.id}`;
  if (run.state === 'pending') {
    const waiting = describeWaiting(run.waitsFor);
    return showPlainly(`${start}: waiting for ${waiting ?? 'its turn'}`);
  }
  const count = `${run.roundsCompleted} of ${run.roundsPlanned} Rounds, ${describeVisits(run)}${describeTimeLeft(run, nowEpochMs)}`;
  if (run.state !== 'running') return `${start} ${run.state === 'stopping' ? 'is stopping' : run.state}: ${count}`;
  if (run.missingAgents.length > 0)
    return showPlainly(`${start}: waiting for the Agents ${run.missingAgents.join(', ')}`);

  if (run.diskProblem !== null) return showPlainly(`${start}: ${count}; waiting. ${run.diskProblem}`);

  const current = run.rounds.findLast(({ state }) => state !== 'completed' && state !== 'broken');
  if (!current) return `${start}: ${count}${run.pausedAt ? '; paused' : ''}`;
  const block = current.warmUp ? 'warm-up' : `Block ${current.block}`;
  const attempt = current.attempt > 1 ? `, attempt ${current.attempt}` : '';
  const passes = current.passes.map(
    ({ userAgent, visitsMade, visitsExpected }) => `${userAgent} ${visitsMade}/${visitsExpected}`,
  );
  const now = withVisits ? `: ${passes.join(', ') || current.state}` : '';
  return showPlainly(
    `${start}: ${count}; ${block}, ${current.scenario}${attempt}${now}${run.pausedAt ? '; paused after this Round' : ''}`,
  );
}

/** Those that were uploaded, and those of the Rounds under way. */
function describeVisits({ visits, failedVisits, rounds }: RunDetail): string {
  const underWay = rounds
    .filter(({ state }) => state === 'running')
    .flatMap(({ passes }) => passes)
    .reduce((sum, { visitsMade }) => sum + visitsMade, 0);
  const count = visits + underWay;
  return `${count} ${count === 1 ? 'Visit' : 'Visits'}${failedVisits > 0 ? ` (${failedVisits} failed)` : ''}`;
}

function describeTimeLeft(run: RunDetail, nowEpochMs: number): string {
  const elapsedMs = measuringMs(run, nowEpochMs);
  const leftMs = run.state !== 'running' || elapsedMs === null ? null : estimateTimeLeftMs(run, elapsedMs);
  return leftMs === null ? '' : `, about ${formatRoughDuration(leftMs)} left`;
}
