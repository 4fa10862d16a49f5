import type { RunState } from '#core/protocol/api/run-summary.ts';

/** Whether nothing more will happen in a Run. */
export function hasEnded({ state }: { state: RunState }): boolean {
  return state === 'completed' || state === 'stopped' || state === 'failed';
}
