import { describe, expect, it } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { judgeAssertion } from '#cli/assertions/judge-assertion.ts';
import { readAssertion } from '#cli/assertions/read-assertion.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { summariseOutcome } from '#core/comparison/outcome/summarise-outcome.ts';
import { summariseTrend } from '#core/comparison/outcome/summarise-trend.ts';
import type { FailedObjectsRule } from '#core/evaluation/pages/page-load.ts';
import type { RecordedVisit } from '#core/record/run-record.ts';
import { makeRecordedVisit, makeRunRecord } from '../support/visits.ts';

const urls = ['http://origin/a', 'http://origin/b'];
const blocks = [1, 2, 3, 4, 5];

/** A Run whose Visits take a second, and have these failed objects and latencies. */
function compare(
  change: (visit: Pick<RecordedVisit, 'block' | 'scenario' | 'url'>) => Partial<RecordedVisit>,
  rule?: FailedObjectsRule,
  scenarios = ['direct', 'proxy'],
) {
  const evaluation = EvaluationSchema.parse({
    name: 'Proxy or not',
    urlLists: { pages: urls.map((url) => ({ url })) },
    userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
    scenarios: scenarios.map((name) => ({ name, baseline: name === scenarios[0] })),
    ...(rule && { pageLoad: { failedObjects: rule } }),
  });
  const visits = blocks.flatMap((block) =>
    scenarios.flatMap((scenario) =>
      urls.map((url, index) => {
        const latencyMs = 1000 + index + block + (scenario === 'proxy' ? 0.5 : 0);
        return makeRecordedVisit({
          block,
          scenario,
          userAgent: 'alice',
          url,
          latencies: { baseMs: latencyMs, viewportMs: latencyMs, totalMs: latencyMs },
          ...change({ block, scenario, url }),
        });
      }),
    ),
  );
  const record = makeRunRecord({ evaluation, visits });
  const comparison = computeComparison(record);
  return {
    comparison,
    remark: comparison.remarks.find(({ about }) => about === 'lost-objects')?.text ?? null,
    total: comparison.metrics.find(({ metric }) => metric === 'totalMs')!.scenarios,
  };
}

const lost = { failedObjects: 9, latencies: { baseMs: 100, viewportMs: 100, totalMs: 100 } };
/** A proxy that died in the middle: the last Visit under it lost nine images and took a tenth of the time. */
const proxyDied = ({
  block,
  scenario,
  url,
}: Pick<RecordedVisit, 'block' | 'scenario' | 'url'>): Partial<RecordedVisit> =>
  scenario === 'proxy' && block === 5 && url === urls[1] ? lost : {};

describe('Visits that lost objects', () => {
  it('are said to have, with the Scenarios and what that does to the figures', () => {
    const { remark, comparison, total } = compare(proxyDied);
    expect(remark).toBe(
      'Some Visits lost objects that other Visits of the same page received: 1 of 10 Visits under proxy (9 objects), none under direct. Their latencies count as they are. A page without some of its objects may look fast.',
    );
    expect(comparison.failedObjects).toMatchObject({
      rule: 'count',
      failureCode: null,
      scenarios: [
        {
          scenario: 'direct',
          visits: 10,
          unknownVisits: 0,
          failedObjects: 0,
          lostObjects: 0,
          lossyVisits: 0,
          difference: null,
        },
        {
          scenario: 'proxy',
          visits: 10,
          failedObjects: 9,
          lostObjects: 9,
          lossyVisits: 1,
          difference: { blocks: 5, value: 0.1 },
        },
      ],
    });
    expect(total[1]).toMatchObject({ visits: 10, failedVisits: 0, lossyVisits: 1, leftOutVisits: 0 });
    expect(total[1]!.reduction!.ratio).toBeGreaterThan(0.1);
  });

  it('are left out of the latencies where the Evaluation declares so, and counted', () => {
    const { remark, comparison, total } = compare(proxyDied, 'exclude');
    expect(remark).toContain(
      '1 of 10 Visits under proxy (9 objects), none under direct. Their latencies are left out, as the Evaluation declares (pageLoad.failedObjects: exclude).',
    );
    expect(total[1]).toMatchObject({
      visits: 10,
      failedVisits: 0,
      absentVisits: 0,
      excludedVisits: 0,
      lossyVisits: 1,
      leftOutVisits: 1,
    });
    expect(Math.abs(total[1]!.reduction!.ratio)).toBeLessThan(0.001);
    expect(
      comparison.metrics[0]!.cells.find(({ scenario, url }) => scenario === 'proxy' && url === urls[1])!.distribution!
        .ecdf,
    ).toMatchObject({ points: expect.not.arrayContaining([expect.objectContaining({ value: 100 })]) as unknown });
  });

  it('count as failed by a code of their own where the Evaluation declares so', () => {
    const { remark, comparison, total } = compare(proxyDied, 'fail');
    expect(comparison.failedObjects).toMatchObject({ rule: 'fail', failureCode: 'objects-lost' });
    expect(total[1]).toMatchObject({
      visits: 10,
      failedVisits: 1,
      timedOutVisits: 0,
      leftOutVisits: 0,
      failures: { count: 1, of: 10 },
    });
    expect(Math.abs(total[1]!.reduction!.ratio)).toBeLessThan(0.001);
    expect(remark).toContain(
      'They count as failed (objects-lost), as the Evaluation declares (pageLoad.failedObjects: fail).',
    );
    expect(comparison.remarks.some(({ text }) => text.startsWith('1 of 20 Visits failed'))).toBe(true);
  });

  it.each(['count', 'exclude', 'fail'] as const)(
    'are judged alike under every Scenario, the baseline too: %s',
    (rule) => {
      const { total } = compare(({ block }) => (block === 2 ? lost : {}), rule);
      expect(
        total.map(({ lossyVisits, leftOutVisits, failedVisits }) => [lossyVisits, leftOutVisits, failedVisits]),
      ).toEqual([0, 1].map(() => [2, rule === 'exclude' ? 2 : 0, rule === 'fail' ? 2 : 0]));
    },
  );

  it.each(['count', 'exclude', 'fail'] as const)(
    'are not those of a page that always loses the same: it is no reason for a remark, and counts: %s',
    (rule) => {
      const { remark, comparison, total } = compare(({ url }) => ({ failedObjects: url === urls[0] ? 2 : 0 }), rule);
      expect(remark).toBeNull();
      expect(
        comparison.failedObjects.scenarios.map(({ failedObjects, lostObjects }) => [failedObjects, lostObjects]),
      ).toEqual([
        [10, 0],
        [10, 0],
      ]);
      expect(total[1]).toMatchObject({
        visits: 10,
        failedVisits: 0,
        lossyVisits: 0,
        leftOutVisits: 0,
        absentVisits: 0,
      });
    },
  );

  it('are those above what the page always loses', () => {
    const { comparison } = compare(({ url, block }) => ({
      failedObjects: url === urls[0] ? (block === 3 ? 4 : 1) : 0,
    }));
    expect(comparison.failedObjects.scenarios[0]).toMatchObject({ failedObjects: 8, lostObjects: 3, lossyVisits: 1 });
  });

  it('are all those of a Scenario that always loses what another one receives, and that is said to differ', () => {
    const { remark } = compare(({ scenario, url, block }) => ({
      failedObjects: scenario === 'proxy' && (url === urls[0] || block === 2) ? 1 : 0,
    }));
    expect(remark).toContain(
      '6 of 10 Visits under proxy (6 objects), none under direct. proxy loses objects in more of its Visits than direct (by 60 percentage points, p = 0.0039).',
    );
  });

  it('are no gain of a Scenario that loses them in more of its Visits: the finding gives no number', () => {
    const losing = ({ scenario }: Pick<RecordedVisit, 'scenario'>) => (scenario === 'proxy' ? lost : {});
    const { comparison, total } = compare(losing);
    expect(comparison.findings).toEqual([
      'proxy cannot be compared with direct: Visits under proxy lose objects more often than under direct, by 100 percentage points (p < 0.001). Pages that lack objects look faster. Find out why the objects fail, or leave such Visits out (pageLoad.failedObjects: exclude).',
    ]);
    expect(comparison.metrics.map(({ scenarios }) => scenarios[1]!.contrast!.verdict)).toEqual(
      comparison.metrics.map(() => 'not-comparable'),
    );
    const { reduction, meanReduction, contrast, reversal, estimate } = total[1]!;
    expect([reduction, meanReduction, contrast!.equivalence, contrast!.mannWhitney, reversal]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(contrast).toMatchObject({ meanDifference: { kind: 'absent', reason: 'not-comparable' }, blocks: [] });
    expect(estimate!.mean).toBeLessThan(200);
    const cells = comparison.metrics.flatMap((metric) => metric.cells);
    expect(cells.flatMap((cell) => cell.reduction ?? [])).toEqual([]);
    expect(summariseTrend(comparison, { engineVersions: [], metricsVersions: [] }).scenarios[1]!.reduction).toBeNull();
    expect(summariseOutcome(comparison)).toMatchObject({
      text: 'proxy: not comparable, objects are lost',
      verdict: 'not-comparable',
      ratio: null,
      low: null,
      high: null,
    });
    const [judged] = judgeAssertion(readAssertion('totalMs: reduction > 0%'), comparison);
    expect(judged).toMatchObject({ verdict: 'not-measured', estimate: null });
  });

  it('give no number where no Block has a latency under both either', () => {
    const { comparison, total } = compare(({ scenario, block }) => ({
      failedObjects: scenario === 'proxy' ? 1 : 0,
      ...(scenario === (block < 3 ? 'proxy' : 'direct') && {
        latencies: { baseMs: null, viewportMs: null, totalMs: null },
      }),
    }));
    expect(total[1]!.contrast).toMatchObject({
      pairing: 'none',
      verdict: 'not-comparable',
      meanDifference: { kind: 'absent', reason: 'not-comparable' },
      mannWhitney: null,
    });
    expect(comparison.findings[0]).toContain('proxy cannot be compared with direct');
  });

  it('of the baseline are no loss of a Scenario either', () => {
    const { comparison } = compare(({ scenario }) => (scenario === 'direct' ? lost : {}));
    expect(comparison.findings[0]).toContain('Visits under direct lose objects more often than under proxy');
  });

  it('leave Scenarios comparable where chance explains them, and where the Evaluation leaves such Visits out', () => {
    const verdictOf = ({ comparison }: ReturnType<typeof compare>) =>
      comparison.metrics[0]!.scenarios[1]!.contrast!.verdict;
    expect(verdictOf(compare(proxyDied))).not.toBe('not-comparable');
    const half = ({ scenario, url }: Pick<RecordedVisit, 'scenario' | 'url'>) =>
      scenario === 'proxy' && url === urls[0] ? lost : {};
    expect(verdictOf(compare(half))).toBe('not-comparable');
    expect(verdictOf(compare(half, 'exclude'))).not.toBe('not-comparable');
    expect(verdictOf(compare(half, 'fail'))).not.toBe('not-comparable');
  });

  it('of three Scenarios, p is corrected for both comparisons', () => {
    const { comparison, remark } = compare(
      ({ scenario, url, block }) => ({
        failedObjects: scenario === 'proxy' && (url === urls[0] || block === 2) ? 1 : 0,
      }),
      'count',
      ['direct', 'proxy', 'satellite'],
    );
    const { difference } = comparison.failedObjects.scenarios[1]!;
    expect(difference!.adjustedP).toBeCloseTo(2 * difference!.p!, 12);
    expect(remark).toContain('none under direct, satellite');
    expect(remark).toContain('p = 0.0078 corrected for 2 Scenarios');
  });

  it('are not known of Visits without that Reading, and of excluded ones', () => {
    const { comparison, remark } = compare(({ block, scenario, url }) => ({
      ...(block === 1 && { failedObjects: null }),
      ...(block === 5 && { ...proxyDied({ block, scenario, url }), isExcluded: true }),
    }));
    expect(remark).toBeNull();
    expect(comparison.failedObjects.scenarios[1]).toMatchObject({ visits: 6, unknownVisits: 2, failedObjects: 0 });
  });
});
