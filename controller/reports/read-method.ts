import { AppError } from '#core/app-error.ts';
import { describeMethod } from '#core/report/describe-method.ts';
import type { RunMethod } from '#core/report/run-method.ts';
import type { Queryable } from '../db/queryable.ts';
import { listEngineVersions } from '../db/engine-versions.ts';
import { findRunView } from '../db/run-views.ts';

/** Throws AppError 'not-found'. */
export async function readMethod(db: Queryable, { runId, controllerVersion }: { runId: string; controllerVersion: string }): Promise<RunMethod> {
  const view = await findRunView(db, runId);
  if (!view) throw new AppError('not-found', `There is no Run ${runId}`);
  return describeMethod({ ...view, engineVersions: await listEngineVersions(db, runId) }, controllerVersion);
}
