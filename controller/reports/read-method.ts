import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { describeMethod } from '#core/record/describe-method.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { listEngineVersions } from '../db/engine-versions.ts';
import { rollUpRun } from '../db/roll-up-run.ts';
import { readHttpVersions } from '../db/rollups.ts';
import { findRunView } from '../db/run-views.ts';

/** Throws AppError 'not-found'. */
export async function readMethod(
  pool: Pool,
  { runId, controllerVersion }: { runId: string; controllerVersion: string },
): Promise<RunMethod> {
  const view = await findRunView(pool, runId);
  if (!view) throw new AppError('not-found', `There is no Run ${runId}`);
  await rollUpRun(pool, runId);
  return describeMethod(
    {
      ...view,
      engineVersions: await listEngineVersions(pool, runId),
      httpVersions: await readHttpVersions(pool, runId),
    },
    controllerVersion,
  );
}
