import { describeRunState } from './describe-run-state.ts';
import { StateDot } from './state-dot.tsx';

interface RunStateLabelProps {
  run: Parameters<typeof describeRunState>[0];
  /** It continues only when a host has connected. */
  isWaiting?: boolean;
}

export function RunStateLabel({ run, isWaiting = false }: RunStateLabelProps) {
  const told = describeRunState(run);
  return <StateDot {...(isWaiting && run.pausedAt === null ? { state: 'idle', label: 'waiting for a host' } : told)} />;
}
