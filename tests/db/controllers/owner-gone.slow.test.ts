import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { CliProcess } from '../../support/cli-process.ts';
import { startTestController, type TestController } from '../../support/controller.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTcpRelay, type TcpRelay } from '../../support/tcp-relay.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import {
  AcknowledgedVisits,
  countCompleted,
  evaluationOn,
  servePage,
  startMeasuringAgent,
} from './support/measuring-agent.ts';

const hosts = ['laptop', 'desktop'];
const rounds = 2;
const whole = { rounds: 4, indexes: 4, visits: 24, distinctVisits: 24 };
/** The lease runs out after ten seconds, and a Round of real Agents takes some more. */
const limitMs = 150_000;

let stack: AsyncDisposableStack;
let database: TestDatabase;
let pool: Pool;
/** Owns the Run: a process of its own, so that it can be killed and halted. */
let owner: CliProcess;
let successor: TestController;
/** By which the owner reaches the database. */
let cable: TcpRelay;
let acknowledged: AcknowledgedVisits;
/** A balancer for each host; they lead to the owner first, that of the desktop to the successor from the first Round on. */
let balancers: TcpRelay[];
let runId: string;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  database = stack.use(await createTestDatabase());
  ({ pool } = database);
  const home = stack.use(await makeTemporaryFolder());
  const page = stack.use(await servePage());
  const straight = new URL(database.databaseUrl);
  cable = stack.use(await startTcpRelay(Number(straight.port)));
  owner = stack.use(
    new CliProcess(['up', '--port', '0', '--json'], {
      DATABASE_URL: Object.assign(new URL(straight), { port: String(cable.port) }).href,
      HTTP_AE_HOME: home.path,
      HOME: home.path,
    }),
  );
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(await owner.firstLine()));
  balancers = [];
  acknowledged = new AcknowledgedVisits();
  for (const name of hosts) {
    const balancer = stack.use(await startTcpRelay(Number(new URL(url).port), { onAnswer: acknowledged.hear }));
    stack.use(await startMeasuringAgent({ pool, controllerUrl: `http://127.0.0.1:${balancer.port}`, name }));
    balancers.push(balancer);
  }
  const evaluation = evaluationOn(hosts, { url: page.url, rounds });
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  runId = await createRun(pool, {
    evaluationId,
    evaluation,
    seed: 1,
    roundsPlanned: expandEvaluation(evaluation, 1).length,
  });
  const countRounds = async (where: string) => (await pool.query(`select from round where ${where}`)).rowCount;
  await expect.poll(() => countRounds('index = 0'), { timeout: 30_000, interval: 10 }).toBe(1);
  successor = stack.use(await startTestController({ sharedDatabase: database }));
  balancers[1]!.moveTo(portOfSuccessor());
  await expect.poll(() => countRounds(`state = 'running' and index = 1`), { timeout: 55_000, interval: 10 }).toBe(1);
}, limitMs);
afterEach(() => stack.disposeAsync());

const portOfSuccessor = () => Number(new URL(successor.controller.localUrl).port);
const stateOf = async () =>
  (await pool.query<{ state: string }>('select state from run where id = $1', [runId])).rows[0]!.state;
const epochOf = async () => (await pool.query<{ epoch: number }>('select epoch from run')).rows[0]!.epoch;

/** What a Controller would write on its own after it was replaced is written down by the database: by which owners Rounds are completed from now on. */
async function watchCompletions(): Promise<() => Promise<Set<number>>> {
  const mark = `x${randomBytes(4).toString('hex')}`;
  await pool.query(`create table ${mark} (round uuid, epoch int)`);
  await pool.query(
    `create function ${mark}() returns trigger language plpgsql as $$ begin insert into ${mark} select new.id, epoch from run where id = new.run_id; return new; end $$`,
  );
  await pool.query(
    `create trigger ${mark} after update on round for each row when (new.state = 'completed') execute function ${mark}()`,
  );
  return async () =>
    new Set((await pool.query<{ epoch: number }>(`select epoch from ${mark}`)).rows.map(({ epoch }) => epoch));
}

/** The Run is measured to its end, with each planned Visit once, and with all that Agents were informed of. */
async function expectWhole(): Promise<void> {
  await expect.poll(stateOf, { timeout: 120_000 }).toBe('completed');
  expect(await countCompleted(pool, runId)).toEqual(whole);
  const known = await acknowledged.count(pool);
  expect(known.stored).toBe(known.acknowledged);
  expect(known.acknowledged).toBeGreaterThanOrEqual(whole.visits);
}

test(
  'a Run whose owner was killed is completed by the Controller that half of its Agents were at, nothing lost and nothing doubled',
  { timeout: limitMs },
  async () => {
    await owner.kill('SIGKILL');
    balancers[0]!.moveTo(portOfSuccessor());
    await expectWhole();
  },
);

test(
  'an owner that was halted, replaced and woken completes no Round and orders no Agent',
  { timeout: limitMs },
  async () => {
    const completers = await watchCompletions();
    owner.child.kill('SIGSTOP');
    const before = await epochOf();
    balancers[0]!.moveTo(portOfSuccessor());
    await expect.poll(epochOf, { timeout: 30_000 }).toBe(before + 1);
    owner.child.kill('SIGCONT');
    await expectWhole();
    expect(await completers()).toEqual(new Set([before + 1]));
    expect(owner.stderr).not.toContain('Error');
  },
);

test(
  'an owner that is cut from the database sends its Agents away; the Run is completed elsewhere, and the owner writes and orders nothing when it is back',
  { timeout: limitMs },
  async () => {
    const completers = await watchCompletions();
    cable.halt();
    const before = await epochOf();
    await expect.poll(() => owner.stderr, { timeout: 30_000 }).toContain('the Agents are to go to another Controller');
    balancers[0]!.moveTo(portOfSuccessor());
    await expect.poll(epochOf, { timeout: 30_000 }).toBe(before + 1);
    cable.resume();
    await expectWhole();
    expect(await completers()).toEqual(new Set([before + 1]));
    expect(owner.stderr).not.toContain('Internal error');
  },
);
