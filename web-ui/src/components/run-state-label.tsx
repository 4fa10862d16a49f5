import type { RunState } from '#core/protocol/api/run.ts';
import { StateDot } from './state-dot.tsx';

const dots = { pending: 'idle', running: 'active', stopping: 'active', completed: 'good', stopped: 'idle', failed: 'bad' } as const;

export function RunStateLabel({ state }: { state: RunState }) {
  return <StateDot state={dots[state]} label={state} />;
}
