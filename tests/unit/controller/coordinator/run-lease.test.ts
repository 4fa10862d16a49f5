import { Pool } from 'pg';
import pino from 'pino';
import { expect, test } from 'vitest';
import { RunLease } from '#controller/coordinator/run-lease.ts';
import { makeEvaluation } from '../../../support/sample-evaluation.ts';

/** Nothing is asked of the database in the first two seconds. */
function holdLease({ ageMs }: { ageMs: number }): RunLease {
  const run = { id: '1', epoch: 1, seed: 1, state: 'running', evaluation: makeEvaluation() } as const;
  return new RunLease({
    pool: new Pool(),
    run,
    claimedMs: performance.now() - ageMs,
    onState: () => undefined,
    log: pino({ level: 'silent' }),
  });
}

test('after a halt no order is sent in the last half second of the lease, although no timer has reported its end yet', () => {
  using late = holdLease({ ageMs: 9_600 });
  expect([late.lost.aborted, late.mayOrder]).toEqual([false, false]);
  using early = holdLease({ ageMs: 9_000 });
  expect([early.lost.aborted, early.mayOrder]).toEqual([false, true]);
});
