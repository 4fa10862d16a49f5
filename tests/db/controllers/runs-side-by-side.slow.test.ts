import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { claimRun } from '#controller/runs/claim-run.ts';
import { recordAgent } from '#controller/agents/agents.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { announceController } from '#controller/agents/exchange/controllers.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRun, endRun } from '#controller/runs/stored-runs.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { describeWaiting } from '#core/protocol/meeting.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { postJson, startTestController, type TestController } from '../../support/controller.ts';
import { createTestDatabase } from '../../support/database.ts';
import { joinAgent, laptopFacts } from '../../support/join-agent.ts';

const evaluationOn = (hosts: string[], { origin = `${hosts[0]!}.test`, resources = [] as string[] } = {}) =>
  EvaluationSchema.parse({
    name: `On ${hosts.join(' and ')}`,
    resources,
    urlLists: { pages: [`http://${origin}/`] },
    userAgents: hosts.map((host) => ({ name: `user of ${host}`, host, engine: 'http', urlList: 'pages' })),
    scenarios: [{ name: 'one', baseline: true }, { name: 'two' }],
  });

async function requestRun({ program }: TestController, evaluation: unknown): Promise<string> {
  const { id } = z
    .object({ id: z.string() })
    .parse(await (await program('/api/evaluations', postJson(evaluation))).json());
  return RunSummarySchema.parse(await (await program(`/api/evaluations/${id}/runs`, postJson({}))).json()).id;
}

test(
  'Runs that share nothing are measured at the same time; one that meets another waits, and says for what',
  { timeout: 120_000 },
  async () => {
    await using it = await startTestController();
    const read = async (id: string): Promise<RunDetail> =>
      RunDetailSchema.parse(await (await it.program(`/api/runs/${id}`)).json());
    const waitingOf = async (id: string) => describeWaiting((await read(id)).waitsFor);
    await using stack = new AsyncDisposableStack();
    const agents = new Map<string, Awaited<ReturnType<typeof joinAgent>>>();
    for (const name of ['a', 'b', 'c', 'd', 'd2']) {
      const facts = { ...laptopFacts, machineId: name[0]! };
      agents.set(name, stack.use(await joinAgent(it.controller, { name, facts })));
    }
    const orderedOf = (name: string) =>
      agents.get(name)!.heard.flatMap((message) => (message.type === 'prepare-pass' ? [message.order] : []));

    const first = await requestRun(it, evaluationOn(['a']));
    const second = await requestRun(it, evaluationOn(['b'], { resources: ['uplink'] }));
    const meetsBoth = await requestRun(it, evaluationOn(['a', 'c'], { resources: ['uplink'] }));
    const meetsWaiting = await requestRun(it, evaluationOn(['c']));
    const fourth = await requestRun(it, evaluationOn(['d']));
    const meetsMachine = await requestRun(it, evaluationOn(['d2']));
    for (const name of ['a', 'b', 'd']) await expect.poll(() => orderedOf(name).length, { timeout: 30_000 }).toBe(1);
    expect(await waitingOf(first)).toBeNull();
    expect(await waitingOf(meetsBoth)).toBe(`Run ${first}: host a, and for 1 more`);
    expect((await read(meetsBoth)).waitsFor).toMatchObject([
      { runId: first, evaluationName: 'On a', kind: 'host', names: ['a'] },
      { runId: second, kind: 'resource', names: ['uplink'] },
    ]);
    expect(await waitingOf(meetsWaiting)).toBe(`Run ${meetsBoth}: host c`);
    expect(await waitingOf(meetsMachine)).toBe(`Run ${fourth}: hosts d2 and d may be one machine`);
    const listed = z.array(RunSummarySchema).parse(await (await it.program('/api/runs')).json());
    expect(listed.find(({ id }) => id === meetsWaiting)!.waitsFor).toMatchObject([{ runId: meetsBoth }]);

    // What an Agent says reaches its own Run alone.
    const { passId, visits } = orderedOf('b')[0]!;
    agents.get('b')!.say({ type: 'visit-ended', passId, sequence: 0, url: visits[0]!.url, code: null, totalMs: 7 });
    await expect.poll(async () => (await read(second)).rounds[0]?.passes[0]?.lastTotalMs).toBe(7);
    expect((await read(first)).rounds[0]?.passes[0]?.lastTotalMs).toBeNull();

    for (const id of [first, second]) await it.program(`/api/runs/${id}/stop`, { method: 'POST' });
    await expect.poll(() => orderedOf('c').length, { timeout: 30_000 }).toBe(1);
    expect(orderedOf('a')).toHaveLength(2);
    expect(await waitingOf(meetsWaiting)).toBe(`Run ${meetsBoth}: host c`);
    const method = RunMethodSchema.parse(await (await it.program(`/api/runs/${first}/method`)).json());
    expect(method.beside).toEqual([second, fourth]);
  },
);

test('one Run at a time is a rule of all Controllers while one of them has it, and a Run with an unseen host begins alone', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { id: tokenId } = await issueToken(pool, { name: 'agents', scope: 'agent' });
  for (const name of ['a', 'b'])
    await recordAgent(pool, { name, tokenId, agentVersion: '0', facts: { ...laptopFacts, machineId: name } });
  const start = async (host: string) => {
    const evaluation = evaluationOn([host]);
    const { id: evaluationId } = await createEvaluation(pool, evaluation);
    return createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 2 });
  };
  const owner = randomUUID();
  const ended = { state: 'stopped', problem: null } as const;
  const [one, unseen, other] = [await start('a'), await start('new'), await start('b')];

  const first = (await claimRun(pool, owner, { oneAtATime: true }))!;
  expect(first.id).toBe(one);
  expect(await claimRun(pool, owner, { oneAtATime: true })).toBeNull();
  await announceController(pool, { id: owner, name: 'with the rule', oneRunAtATime: true, hasSign: false }, []);
  expect(await claimRun(pool, owner)).toBeNull();
  await pool.query('delete from controller');

  const second = (await claimRun(pool, owner))!;
  expect(second.id).toBe(other);
  expect(await claimRun(pool, owner)).toBeNull();
  await endRun(pool, first, ended);
  expect(await claimRun(pool, owner)).toBeNull();
  await endRun(pool, second, ended);
  expect((await claimRun(pool, owner))!.id).toBe(unseen);
});
