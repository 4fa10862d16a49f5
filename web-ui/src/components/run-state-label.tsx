import type { RunState } from '#core/protocol/api/run.ts';
import { StateDot } from './state-dot.tsx';

const dots = { pending: 'idle', running: 'active', stopping: 'active', completed: 'good', stopped: 'idle', failed: 'bad' } as const;

interface RunStateLabelProps {
  state: RunState;
  isPaused?: boolean;
  /** It goes on only when a host has connected. */
  isWaiting?: boolean;
}

export function RunStateLabel({ state, isPaused = false, isWaiting = false }: RunStateLabelProps) {
  if (isPaused) return <StateDot state="idle" label="paused" />;
  if (isWaiting) return <StateDot state="idle" label="waiting for a host" />;
  return <StateDot state={dots[state]} label={state} />;
}
