import type { Comparison } from '#core/comparison/comparison.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { unknownSkew } from '#tests/support/sample-run.ts';

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
  return computeComparison({
    runId: '7',
    state: 'completed',
    seed: 1,
    evaluation: EvaluationSchema.parse({
      name,
      urlLists: { pages: ['http://origin.test/'] },
      userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
      scenarios: [{ name: 'direct', baseline: true }, { name: 'proxy' }],
      repetition: { rounds: blocks },
    }),
    added: [],
    rounds: rounds.map((round) => ({
      ...round,
      warmUp: false,
      state: 'completed',
      ...unknownSkew,
    })),
    visits: rounds.map(({ block, scenario }) => {
      const ms = msOf(scenario, block);
      return {
        block,
        scenario,
        userAgent: 'alice',
        url: 'http://origin.test/',
        isFailed: ms === null,
        isTimedOut: false,
        isExcluded: false,
        isUnsettled: false,
        isHidden: false,
        hostDelayMs,
        failedObjects: 0,
        latencies: { baseMs: ms, viewportMs: ms, totalMs: ms },
        absences: null,
        requestStart: { reason: 'unsupported' },
      };
    }),
    starts: [],
    loads: [],
    exclusions: [],
    traffic: [],
    points: [],
    httpep: [],
    ending: null,
  });
}
