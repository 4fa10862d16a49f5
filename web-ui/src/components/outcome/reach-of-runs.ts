import type { RunSummary } from '#core/protocol/api/run.ts';
import { reachOf } from './place-outcome.ts';

/** One axis for the outcomes of all these Runs. */
export function reachOfRuns(runs: readonly (Pick<RunSummary, 'outcome'> | null)[]): number {
  return reachOf(runs.flatMap((run) => (run?.outcome?.kind === 'compared' ? [run.outcome] : [])));
}
