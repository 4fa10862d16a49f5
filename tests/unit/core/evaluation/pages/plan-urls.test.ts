import { expect, test } from 'vitest';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { planUrls } from '#controller/runs/run-detail.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

test.for([
  { cache: 'cold', visitsPerUrl: 1 },
  { cache: 'cold', visitsPerUrl: 3 },
  { cache: 'warm', visitsPerUrl: 2 },
  { cache: 'per-pass', visitsPerUrl: 2 },
  { cache: 'cold', visitsPerUrl: 1, browser: { cache: 'warm' } },
])(
  'which URL comes next is as the Pass was ordered: $cache, $visitsPerUrl of each, $browser',
  ({ browser = {}, ...pageLoad }) => {
    const { userAgents, ...rest } = makeEvaluation();
    const [alice, bob] = userAgents;
    const scenarios = [{ name: 'direct', baseline: true, browser }];
    const evaluation = EvaluationSchema.parse({
      ...rest,
      scenarios,
      pageLoad,
      userAgents: [alice, { ...bob, visitsPerUrl: 4 }],
    });
    const urlAfter = planUrls(evaluation);
    for (const {
      order: { userAgent, visits, ...order },
    } of orderPasses({ id: '1', runId: '1', seed: 1, block: 1, evaluation, scenario: 'direct' })) {
      const planned = [...visits.keys(), visits.length].map((visitsMade) =>
        urlAfter({ scenario: 'direct', userAgent, visitsMade }),
      );
      expect(order.pageLoad.cache).toBe(browser.cache ?? pageLoad.cache);
      expect(visits.filter(({ repetition }) => repetition === 0)).toHaveLength(
        order.pageLoad.cache === 'warm' ? new Set(visits.map(({ url }) => url)).size : 0,
      );
      expect(planned).toEqual([...visits.map(({ url }) => url), null]);
    }
  },
);
