import { expect, it } from 'vitest';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { explainNoCapture } from '#core/evaluation/explain-no-capture.ts';
import { makeEvaluation } from '../../support/evaluation.ts';

const users = (addresses: (string | undefined)[]) =>
  makeEvaluation().userAgents.map((user, index) => ({ ...user, osUser: 20_001 + index, ...(addresses[index] && { sourceAddress: addresses[index] }) }));
const settings = { snapBytes: 512, maxBytesPerPass: 1_000_000_000, keepTraces: true };

it('is ordered for every User Agent with an address of its own, and for no other', () => {
  const ordered = (addresses: (string | undefined)[]) =>
    orderPasses({ runId: '1', evaluation: makeEvaluation({ userAgents: users(addresses) }), scenario: 'direct' }).map(({ order }) => order.capture);
  expect(ordered(['198.19.1.1', '198.19.1.2'])).toEqual([settings, settings]);
  expect(ordered(['198.19.1.1', undefined])).toEqual([settings, null]);
  expect(ordered(['198.19.1.1', '198.19.1.1'])).toEqual([null, null]);
});

it('is not made for a reason that is told', () => {
  const evaluation = makeEvaluation({ userAgents: users(['198.19.1.1', '198.19.1.1']) });
  const [alice] = evaluation.userAgents;
  expect(explainNoCapture(evaluation, alice!)).toBe('"bob" has the same "sourceAddress", so that their packets cannot be told apart');
  expect(explainNoCapture({ ...evaluation, capture: { ...settings, enabled: false } }, alice!)).toContain('enabled: false');
});

it('has limits, and a setting beyond them is refused with what is wrong', () => {
  const refused = EvaluationSchema.safeParse({ ...makeEvaluation(), capture: { snapBytes: 20, maxBytesPerPass: '1 GB', keepTraces: 'no' } });
  expect(refused.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
    'capture.snapBytes must be at least 128',
    'capture.maxBytesPerPass must be a whole number, not "1 GB"',
    'capture.keepTraces must be true or false',
  ]);
});
