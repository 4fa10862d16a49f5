import { expect, test } from 'vitest';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { PassOrderSchema } from '#core/protocol/pass-order.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

test('an Agent is ordered how to load a page, not what the Visit then counts for: one of an earlier version would refuse that', () => {
  const evaluation = makeEvaluation();
  const [pass] = orderPasses({
    id: 'round',
    runId: '1',
    seed: 1,
    block: 1,
    evaluation: { ...evaluation, pageLoad: { ...evaluation.pageLoad, failedObjects: 'fail' } },
    scenario: 'direct',
  });
  expect(pass!.order.pageLoad).toEqual(PassOrderSchema.shape.pageLoad.parse({}));
  expect(pass!.order.pageLoad).not.toHaveProperty('failedObjects');
});
