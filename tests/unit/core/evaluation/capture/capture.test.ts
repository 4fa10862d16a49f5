import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { orderCaptures } from '#controller/coordinator/round-captures.ts';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { explainNoCapture } from '#core/evaluation/capture/explain-no-capture.ts';
import { makeEvaluation } from '../../../../support/sample-evaluation.ts';

const users = (addresses: (string | undefined)[]) =>
  makeEvaluation().userAgents.map((user, index) => ({
    ...user,
    osUser: 20_001 + index,
    ...(addresses[index] && { sourceAddress: addresses[index] }),
  }));
const settings = { snapBytes: 512, maxBytesPerPass: 1_000_000_000, keepTraces: true };

it('is ordered for every User Agent with an address of its own, and for no other', () => {
  const ordered = (addresses: (string | undefined)[]) =>
    orderPasses({
      id: randomUUID(),
      runId: '1',
      seed: 1,
      block: 1,
      evaluation: makeEvaluation({ userAgents: users(addresses) }),
      scenario: 'direct',
    }).map(({ order }) => order.capture);
  expect(ordered(['198.19.1.1', '198.19.1.2'])).toEqual([settings, settings]);
  expect(ordered(['198.19.1.1', undefined])).toEqual([settings, null]);
  expect(ordered(['198.19.1.1', '198.19.1.1'])).toEqual([null, null]);
});

it('is not made for a reason that is reported', () => {
  const evaluation = makeEvaluation({ userAgents: users(['198.19.1.1', '198.19.1.1']) });
  const [alice] = evaluation.userAgents;
  expect(explainNoCapture(evaluation, alice!)).toBe(
    '"bob" has the same "sourceAddress", so their packets cannot be distinguished',
  );
  expect(
    explainNoCapture({ ...evaluation, capture: { ...settings, isolate: false, enabled: false } }, alice!),
  ).toContain('enabled: false');
});

it('is ordered for isolated User Agents that have neither OS user nor address, but for a person’s browser', () => {
  const evaluation = makeEvaluation({
    userAgents: makeEvaluation().userAgents.map((user, index) => ({
      ...user,
      ...(index === 1 && { engine: 'extension' as const, host: 'other' }),
    })),
  });
  const isolated = { ...evaluation, capture: { ...evaluation.capture, isolate: true } };
  const ordered = orderPasses({
    id: randomUUID(),
    runId: '1',
    seed: 1,
    block: 1,
    evaluation: isolated,
    scenario: 'direct',
  });
  expect(ordered.map(({ order }) => [order.isIsolated ?? false, order.capture])).toEqual([
    [true, settings],
    [false, null],
  ]);
  expect(explainNoCapture(evaluation, evaluation.userAgents[0]!)).toContain('capture: { isolate: true }');
  expect(explainNoCapture(isolated, evaluation.userAgents[1]!)).not.toContain('isolate');
});

it('has limits, and a setting beyond them is refused with what is wrong', () => {
  const refused = EvaluationSchema.safeParse({
    ...makeEvaluation(),
    capture: { snapBytes: 20, maxBytesPerPass: '1 GB', keepTraces: 'no' },
  });
  expect(refused.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
    'capture.snapBytes must be at least 128',
    'capture.maxBytesPerPass must be a whole number, not "1 GB"',
    'capture.keepTraces must be true or false',
  ]);
});

it('is made at Capture Points too, as it is at User Agents unless the document says otherwise, and at none where it is off', () => {
  const evaluation = EvaluationSchema.parse({
    ...makeEvaluation(),
    capturePoints: [
      { name: 'far end', host: 'ground', interface: 'link0' },
      { name: 'proxy', host: 'gateway', interface: 'eth1', filter: 'tcp port 3128', snapBytes: 128 },
    ],
  });
  const round = { id: '6a1b5c3e-2f0d-4a7b-9c1e-0d2f4b6a8c0e', endAfterMs: 1000 };
  expect(orderCaptures(evaluation, round)).toMatchObject([
    {
      agent: 'ground',
      order: {
        roundId: round.id,
        capturePoint: 'far end',
        interface: 'link0',
        filter: '',
        limits: settings,
        endAfterMs: 1000,
      },
    },
    {
      agent: 'gateway',
      order: {
        capturePoint: 'proxy',
        interface: 'eth1',
        filter: 'tcp port 3128',
        limits: { ...settings, snapBytes: 128 },
      },
    },
  ]);
  expect(orderCaptures({ ...evaluation, capture: { ...settings, isolate: false, enabled: false } }, round)).toEqual([]);
});

it('is refused at a Capture Point that is unclear, with what is wrong', () => {
  const point = { name: 'proxy', host: 'gateway', interface: 'eth1' };
  const refused = EvaluationSchema.safeParse({
    ...makeEvaluation(),
    capturePoints: [
      point,
      { ...point, name: 'second', filter: 'tcp) or (udp' },
      { ...point, name: 'other', interface: 'eth 1' },
      { ...point, name: 'third', snapBytes: 1 },
    ],
  });
  expect(refused.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
    'capturePoints.1.filter has unmatched brackets',
    expect.stringContaining('capturePoints.2.interface must be the name of a network interface'),
    'capturePoints.3.snapBytes must be at least 128',
  ]);
  const repeated = EvaluationSchema.safeParse({ ...makeEvaluation(), capturePoints: [point, point] });
  expect(repeated.error?.issues[0]).toMatchObject({ path: ['capturePoints', 1, 'name'] });
});
