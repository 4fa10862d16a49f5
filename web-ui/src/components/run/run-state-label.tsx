import { StateDot } from '../state-dot.tsx';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';

interface RunStateLabelProps {
  run: Parameters<typeof describeRunState>[0];
  /** It continues only when a host has connected, or when there is storage again. */
  waitsFor?: 'host' | 'storage' | null;
}

export function RunStateLabel({ run, waitsFor = null }: RunStateLabelProps) {
  const described = describeRunState(run);
  if (waitsFor === null || run.pausedAt !== null) return <StateDot {...described} />;
  return <StateDot state="idle" label={waitsFor === 'host' ? 'waiting for a host' : 'waiting for storage'} />;
}

const dots = {
  pending: 'idle',
  running: 'active',
  stopping: 'active',
  completed: 'good',
  stopped: 'idle',
  failed: 'bad',
} as const;

type Shown = Pick<RunSummary, 'state' | 'pausedAt' | 'visits' | 'failedVisits'>;

/** The state of a Run, in words and by the colour of its dot. A Run that was completed without a single page has a result, and not a good one. */
export function describeRunState(run: Shown): { state: 'good' | 'bad' | 'idle' | 'active'; label: string } {
  const { state, pausedAt } = run;
  if (pausedAt !== null) return { state: 'idle', label: 'paused' };
  if (state === 'completed' && hasFailedThroughout(run)) return { state: 'bad', label: 'completed, all Visits failed' };
  return { state: dots[state], label: state };
}

/** Whether there are Visits, and each of them failed, those of the warm-up too. */
export function hasFailedThroughout({ visits, failedVisits }: Pick<RunSummary, 'visits' | 'failedVisits'>): boolean {
  return visits > 0 && failedVisits === visits;
}
