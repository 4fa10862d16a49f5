import { expect, test } from 'vitest';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { urlAfter } from '#core/evaluation/expand-evaluation.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

test.for([
  { cache: 'cold', visitsPerUrl: 1 },
  { cache: 'cold', visitsPerUrl: 3 },
  { cache: 'warm', visitsPerUrl: 2 },
  { cache: 'per-pass', visitsPerUrl: 2 },
])('which URL comes next is as the Pass was ordered: $cache, $visitsPerUrl of each', (pageLoad) => {
  const { userAgents, ...rest } = makeEvaluation();
  const [alice, bob] = userAgents;
  const evaluation = EvaluationSchema.parse({ ...rest, pageLoad, userAgents: [alice, { ...bob, visitsPerUrl: 4 }] });
  for (const {
    order: { userAgent, visits },
  } of orderPasses({ id: '1', runId: '1', seed: 1, block: 1, evaluation, scenario: 'direct' })) {
    const told = [...visits.keys(), visits.length].map((visitsMade) =>
      urlAfter(evaluation, { scenario: 'direct', userAgent, visitsMade, visitsExpected: visits.length }),
    );
    expect(told).toEqual([...visits.map(({ url }) => url), null]);
  }
});
