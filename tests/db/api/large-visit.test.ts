import type { Pool } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { compressSnapshot } from '#controller/visits/compressed-snapshot.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { startTestController } from '../../support/controller.ts';
import { makePageSnapshot } from '../../support/page-snapshot.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** Once the database has given a Snapshot. */
function watchSnapshots(pool: Pool): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  pool.query = (async (...args: unknown[]) => {
    const answer = await query(...args);
    if (JSON.stringify(args[0]).includes('snapshot.compressed')) resolve();
    return answer;
  }) as typeof pool.query;
  return promise;
}

let id: string;
const large = makePageSnapshot({ url: 'http://origin.test/', totalMs: 900 }, 3000);
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  const { pool } = it.controller;
  const stored = await storeCompletedRun(pool);
  id = stored.visits.at(-1)!.id;
  await pool.query('delete from snapshot where visit_id <> $1', [id]);
  await pool.query('update snapshot set compressed = $2 where visit_id = $1', [id, compressSnapshot(large)]);
});

test.for([
  { kind: 'Visit', path: () => `/api/visits/${id}` },
  { kind: 'HAR', path: () => `/api/visits/${id}/har` },
])('health is answered while the large Snapshot of a $kind is read', async ({ kind, path }) => {
  const found = watchSnapshots(it.controller.pool);
  const order: string[] = [];
  const read = it.program(path(), { headers: { 'accept-encoding': 'identity' } }).then((response) => {
    order.push(kind);
    return response.text();
  });
  await found;
  expect((await it.anonymous('/api/health')).status).toBe(200);
  order.push('health');
  const body = await read;
  expect(order).toEqual(['health', kind]);
  if (kind === 'Visit') expect(VisitDetailSchema.parse(JSON.parse(body))).toMatchObject({ id, snapshot: large });
});
