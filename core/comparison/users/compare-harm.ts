import { z } from 'zod';
import { findSolos } from '../../evaluation/scenarios/solo-scenarios.ts';
import { latencyIds } from '../../metrics/index.ts';
import type { RecordedVisit, RunRecord } from '../../record/run-record.ts';
import { meanInterval } from '../../statistics/mean-interval.ts';
import { gatherCells } from '../cells/gather-cells.ts';
import {
  averageBoth,
  pairPages,
  computeMeanReduction,
  MeanReductionSchema,
  type PagePair,
} from '../latencies/compute-reduction.ts';

const BoundedSchema = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() });

/** What a user loses to the others: alone against together, by Block, over the user's pages. */
export const UserHarmSchema = z.object({
  userAgent: z.string(),
  /** In which the user is alone. */
  soloScenario: z.string(),
  blocks: z.number().int(),
  aloneMs: z.number(),
  togetherMs: z.number(),
  /** Together − alone in ms. */
  slowDown: BoundedSchema,
  /** The part of the latency that the others cause: 1 − alone / together (Ware et al. 2019, https://doi.org/10.1145/3365609.3365855). Null where a mean is 0. */
  harm: MeanReductionSchema.nullable(),
});

export const HarmComparisonSchema = z.object({
  metric: z.enum(latencyIds),
  scenarios: z.array(z.object({ scenario: z.string(), users: z.array(UserHarmSchema) })),
});
export type HarmComparison = z.infer<typeof HarmComparisonSchema>;

/** How much slower each user is because of the others, from Scenarios in which the user is alone. Null where the Evaluation has none. */
export function compareHarm(
  visits: readonly RecordedVisit[],
  { evaluation: { scenarios, primaryMetric }, confidence }: Pick<RunRecord, 'evaluation'> & { confidence: number },
): HarmComparison | null {
  const solos = findSolos(scenarios);
  if (solos.length === 0) return null;
  const { cells } = gatherCells(visits, ({ latencies }) => latencies[primaryMetric]);
  const byScenario = Map.groupBy(cells, ({ scenario }) => scenario);
  return {
    metric: primaryMetric,
    scenarios: [...Map.groupBy(solos, ({ of }) => of)].map(([scenario, own]) => ({
      scenario,
      users: own.flatMap(({ name, userAgent }) => {
        const together = (byScenario.get(scenario) ?? []).filter((cell) => cell.userAgent === userAgent);
        const pairs = pairPages(byScenario.get(name) ?? [], together);
        const compared = compareAlone(pairs, confidence);
        return compared ? [{ userAgent, soloScenario: name, ...compared }] : [];
      }),
    })),
  };
}

/** `pairs`: alone as the Scenario, together as the baseline. Null without a Block that has both. */
function compareAlone(
  pairs: readonly PagePair[],
  confidence: number,
): Omit<z.infer<typeof UserHarmSchema>, 'userAgent' | 'soloScenario'> | null {
  const both = averageBoth(pairs);
  if (both.length === 0) return null;
  const { count, mean, halfWidth } = meanInterval(
    both.map(({ x, y }) => y - x),
    confidence,
  );
  const meanOf = (side: 'x' | 'y') => both.reduce((sum, each) => sum + each[side], 0) / count;
  return {
    blocks: count,
    aloneMs: meanOf('x'),
    togetherMs: meanOf('y'),
    slowDown: {
      value: mean,
      low: halfWidth === null ? null : mean - halfWidth,
      high: halfWidth === null ? null : mean + halfWidth,
    },
    harm: computeMeanReduction(pairs, confidence),
  };
}

/** Without the Scenarios in which a User Agent is alone: they are no arm of the comparison. */
export function leaveOutSolos(record: RunRecord): RunRecord {
  const solos = new Set(findSolos(record.evaluation.scenarios).map(({ name }) => name));
  if (solos.size === 0) return record;
  const ofArms = <Item extends { scenario: string }>(items: readonly Item[]) =>
    items.filter(({ scenario }) => !solos.has(scenario));
  const { evaluation, rounds, visits, starts, loads, traffic, points, httpep } = record;
  return {
    ...record,
    evaluation: { ...evaluation, scenarios: evaluation.scenarios.filter(({ name }) => !solos.has(name)) },
    rounds: ofArms(rounds),
    visits: ofArms(visits),
    starts: ofArms(starts),
    loads: ofArms(loads),
    traffic: ofArms(traffic),
    points: ofArms(points),
    httpep: ofArms(httpep),
  };
}
