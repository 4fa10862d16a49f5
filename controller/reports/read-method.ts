import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { describeMethod } from '#core/record/describe-method.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { describeChanges } from '#core/record/describe-changes.ts';
import { listEngineVersions } from '../db/runs/engine-versions.ts';
import { rollUpRun } from '../db/rounds/roll-up-run.ts';
import { readHttpVersions } from '../db/rounds/rollups.ts';
import { listConditions } from '../db/runs/run-conditions.ts';
import { listRunsBeside } from '../db/runs/run-queue.ts';
import { findRunView, type RunView } from '../db/runs/run-views.ts';

/** Throws AppError 'not-found'. */
export async function readMethod(
  pool: Pool,
  { runId, controllerVersion }: { runId: string; controllerVersion: string },
): Promise<RunMethod> {
  const view = await findRunView(pool, runId, 'current'); // no Pass is described
  if (!view) throw new AppError('not-found', `There is no Run ${runId}`);
  await rollUpRun(pool, runId);
  return describeMethod(
    {
      ...view,
      added: await describeAdded(pool, view),
      beside: await listRunsBeside(pool, runId),
      engineVersions: await listEngineVersions(pool, runId),
      httpVersions: await readHttpVersions(pool, runId),
    },
    controllerVersion,
  );
}

async function describeAdded(pool: Pool, { id, added }: RunView): Promise<RunMethod['added']> {
  if (added.length === 0) return [];
  const conditions = await listConditions(pool, id);
  return added.map((each, index) => {
    const [before, own] = [conditions[index]!, conditions[index + 1]!];
    return { ...each, endedAt: own.endedAt, changes: describeChanges(before, own) };
  });
}
