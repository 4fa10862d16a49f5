import { shareArtefacts } from '#core/evaluation/artefact-givers.ts';
import { explainNoCapture } from '#core/evaluation/capture/explain-no-capture.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { StoreWatch } from './bucket/store-watch.ts';
import type { DiskSpace } from './disk-space.ts';

interface Storage {
  disk: DiskSpace;
  storeWatch: Pick<StoreWatch, 'problem'>;
}

/** Why a Run of this Evaluation waits for storage, and what to do; null when what it measures can be stored. */
export async function findStorageProblem(
  { disk, storeWatch }: Storage,
  evaluation: Evaluation,
): Promise<string | null> {
  return (await disk.findProblem()) ?? (makesFiles(evaluation) ? storeWatch.problem : null);
}

function makesFiles(evaluation: Evaluation): boolean {
  const { capture, capturePoints, userAgents } = evaluation;
  const shares = shareArtefacts(evaluation);
  if (
    shares.some(({ artefact, givers }) => (artefact === 'screenshot' || artefact === 'filmstrip') && givers.length > 0)
  )
    return true;
  if (!capture.enabled || !capture.keepTraces) return false;
  return capturePoints.length > 0 || userAgents.some((user) => explainNoCapture(evaluation, user) === null);
}
