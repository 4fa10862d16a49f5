import { describeRunState } from './describe-run-state.ts';
import { StateDot } from '../state-dot.tsx';

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
