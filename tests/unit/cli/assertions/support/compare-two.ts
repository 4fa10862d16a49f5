import type { Comparison } from '#core/comparison/comparison.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeRecordedRound, makeRecordedVisit, makeRunRecord } from '#tests/unit/core/comparison/support/visits.ts';

const blocks = 8;

/** The Comparison of a Run of one page by one User Agent, `direct` and `proxy`; a Visit without a value failed. */
export function compareTwo(
  msOf: (scenario: string, block: number) => number | null = () => 1000,
  { name = 'Proxy or not', hostDelayMs = null }: { name?: string; hostDelayMs?: number | null } = {},
): Comparison {
  const scenarios = ['direct', 'proxy'];
  const rounds = Array.from({ length: blocks }, (_, index) => index + 1).flatMap((block) =>
    scenarios.map((scenario) => ({ block, scenario })),
  );
  const record = makeRunRecord({
    runId: '7',
    evaluation: EvaluationSchema.parse({
      name,
      urlLists: { pages: ['http://origin.test/'] },
      userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
      scenarios: [{ name: 'direct', baseline: true }, { name: 'proxy' }],
      repetition: { rounds: blocks },
    }),
    rounds: rounds.map(makeRecordedRound),
    visits: rounds.map(({ block, scenario }) => {
      const ms = msOf(scenario, block);
      return makeRecordedVisit({
        block,
        scenario,
        isFailed: ms === null,
        hostDelayMs,
        latencies: { baseMs: ms, viewportMs: ms, totalMs: ms },
        requestStart: { reason: 'unsupported' },
      });
    }),
  });
  return computeComparison(record);
}
