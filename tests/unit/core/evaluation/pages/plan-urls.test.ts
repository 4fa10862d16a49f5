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
  { cache: 'warm', visitsPerUrl: 2, visits: 3 },
])(
  'which URL comes next is as the Pass was ordered: $cache, $visitsPerUrl of each, $visits times the first, $browser',
  ({ browser = {}, visits: times = 1, ...pageLoad }) => {
    const { userAgents, urlLists, ...rest } = makeEvaluation();
    const [alice, bob] = userAgents;
    const scenarios = [{ name: 'direct', baseline: true, browser }];
    const evaluation = EvaluationSchema.parse({
      ...rest,
      urlLists: { pages: [{ url: 'http://origin.test/first', visits: times }, ...urlLists.pages!] },
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
      // The first entry is visited so many times as often as any other, in succession.
      const measured = visits.filter(({ repetition }) => repetition > 0);
      const each = userAgent === 'bob' ? 4 : pageLoad.visitsPerUrl;
      expect(
        measured
          .slice(0, times * each + 1)
          .map(({ url, repetition }) => [new URL(url).pathname === '/first', repetition]),
      ).toEqual([...Array.from({ length: times * each }, (_, index) => [true, index + 1]), [false, 1]]);
      expect(planned).toEqual([...visits.map(({ url }) => url), null]);
    }
  },
);
