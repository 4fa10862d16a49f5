import type { RunState } from '#core/protocol/api/run.ts';
import { StateDot } from './state-dot.tsx';

const dots = { pending: 'idle', running: 'active', stopping: 'active', completed: 'good', stopped: 'idle', failed: 'bad' } as const;

export function RunStateLabel({ state, isPaused = false }: { state: RunState; isPaused?: boolean }) {
  if (isPaused) return <StateDot state="idle" label="paused" />;
  return <StateDot state={dots[state]} label={state} />;
}
