import type { ControllerClient } from '../controller/controller-client.ts';
import { hasEnded } from '../controller/has-ended.ts';

/** Stops what a demo that was interrupted has left: its origin is gone, and the next Run would wait for it. */
export async function stopEarlierRuns(client: ControllerClient, say: (line: string) => void): Promise<void> {
  for (const run of await client.listRuns()) {
    if (hasEnded(run)) continue;
    say(`Stopping Run ${run.id}, left by an interrupted demo`);
    await client.stopRun(run.id);
  }
}
