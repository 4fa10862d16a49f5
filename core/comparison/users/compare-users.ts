import { z } from 'zod';
import type { PassStart } from '../../record/run-record.ts';
import { adjustReductions } from '../latencies/adjust-reductions.ts';
import { computeReduction, averagePages, presentValues } from '../latencies/compute-reduction.ts';
import { estimateMean, EstimateSchema } from '../estimate.ts';
import type { CellData, GatheredCells } from '../cells/gather-cells.ts';
import { sampleQuantile, sortNumbers } from '../../statistics/sample-quantile.ts';
import { ReductionSchema } from '../latencies/reduction.ts';

interface UsersDesign {
  scenarios: readonly string[];
  userAgents: readonly string[];
  /** At which intervals are computed, and that which was declared. */
  confidence: number;
  declaredConfidence: number;
  /** How much later than the Round each User Agent is to begin, in ms; all with it when left out. */
  startOffsetsMs?: ReadonlyMap<string, number>;
}

/** Compares the User Agents of each Scenario with each other, in one metric. */
export function compareUsers(
  { blocks, cells }: GatheredCells,
  starts: readonly PassStart[],
  design: UsersDesign,
): UserComparison {
  if (design.userAgents.length < 2)
    return { kind: 'absent', reason: 'A comparison of users needs at least two User Agents.' };
  const cellsByScenario = Map.groupBy(cells, ({ scenario }) => scenario);
  const startsByScenario = Map.groupBy(starts, ({ scenario }) => scenario);
  const scenarios = design.scenarios.map((scenario) =>
    compareInScenario(scenario, {
      cells: cellsByScenario.get(scenario) ?? [],
      starts: startsByScenario.get(scenario) ?? [],
      blocks,
      design,
    }),
  );
  // Of several Scenarios without an advantage for the first to start, one shows some by chance.
  const adjusted = adjustReductions(
    scenarios.map(({ firstToStart }) => firstToStart),
    (1 - design.declaredConfidence) / (1 - design.confidence),
  );
  return {
    kind: 'measured',
    scenarios: scenarios.map((scenario) => ({
      ...scenario,
      firstToStart: scenario.firstToStart && adjusted.get(scenario.firstToStart)!,
    })),
  };
}

interface ScenarioData {
  cells: readonly CellData[];
  starts: readonly PassStart[];
  blocks: readonly number[];
  design: UsersDesign;
}

function compareInScenario(scenario: string, { cells, starts, blocks, design }: ScenarioData): ScenarioUsers {
  const { userAgents, confidence, startOffsetsMs = new Map<string, number>() } = design;
  const relative = relativeLatencies(cells);
  const valuesOf = (userAgent: string) => relative.get(userAgent) ?? new Float64Array(blocks.length).fill(NaN);
  const ratios = blocks.flatMap((_, index) => {
    const ofRound = userAgents.map((userAgent) => valuesOf(userAgent)[index]!);
    return ofRound.some(Number.isNaN) ? [] : [Math.max(...ofRound) / Math.min(...ofRound)];
  });
  // Against the intended offset: what is left is chance.
  const intended = starts.map(({ startedEpochMs, firstRequestEpochMs, ...start }) => {
    const offsetMs = startOffsetsMs.get(start.userAgent) ?? 0;
    return {
      ...start,
      startedEpochMs: startedEpochMs - offsetMs,
      firstRequestEpochMs: firstRequestEpochMs === null ? null : firstRequestEpochMs - offsetMs,
    };
  });
  const cellsByUser = Map.groupBy(cells, ({ userAgent }) => userAgent);
  const orders = orderOfStarts(intended, userAgents);
  // Where some are to begin later, the order is that of the Evaluation and shows nothing of chance.
  const isOrderByChance = orders.size > 0 && new Set(startOffsetsMs.values()).size <= 1;
  const valuesOfPlace = (place: number) =>
    Float64Array.from(blocks, (block, index) =>
      orders.has(block) ? valuesOf(orders.get(block)![place]!.userAgent)[index]! : NaN,
    );
  return {
    scenario,
    users: userAgents.map((userAgent) => ({
      userAgent,
      latencyMs: estimateMean(
        presentValues(averagePages((cellsByUser.get(userAgent) ?? []).map(({ byBlock }) => byBlock))),
        confidence,
      ),
      relativeLatency: estimateMean(presentValues(valuesOf(userAgent)), confidence),
    })),
    maxMinRatio: estimateMean(ratios, confidence),
    byStartOrder: isOrderByChance
      ? userAgents.map((_, place) => estimateMean(presentValues(valuesOfPlace(place)), confidence))
      : null,
    firstToStart: isOrderByChance ? computeReduction(valuesOfPlace(0).map(Math.log), confidence) : null,
    startSkewMs: summarizeSkew([...orders.values()]),
  };
}

/** By User Agent: its latency in each Round over the geometric mean of all in that Round, over the URLs that at least two have there; NaN without one. */
function relativeLatencies(cells: readonly CellData[]): Map<string, Float64Array> {
  const pagesByUser = new Map<string, Float64Array[]>();
  for (const ofUrl of Map.groupBy(cells, ({ url }) => url).values()) {
    const logs = ofUrl.map(({ byBlock }) => byBlock.map((value) => (value > 0 ? Math.log(value) : NaN)));
    const means = logs[0]!.map((_, block) => {
      let [sum, count] = [0, 0];
      for (const each of logs) {
        if (Number.isNaN(each[block])) continue;
        sum += each[block]!;
        count++;
      }
      return count < 2 ? NaN : sum / count;
    });
    ofUrl.forEach(({ userAgent }, own) => {
      const deviations = logs[own]!.map((log, block) => log - means[block]!);
      const pages = pagesByUser.get(userAgent);
      if (pages) pages.push(deviations);
      else pagesByUser.set(userAgent, [deviations]);
    });
  }
  return new Map([...pagesByUser].map(([userAgent, pages]) => [userAgent, averagePages(pages).map(Math.exp)]));
}

/**
 * By Block: the starts in their order, where that of every User Agent is known. The order is that of the first requests, which the network sees. Browsers on one
 * machine navigate within a millisecond of each other, and what they do before the request takes longer and varies. Where a request is not known, it is that of navigation.
 */
function orderOfStarts(starts: readonly PassStart[], userAgents: readonly string[]): Map<number, PassStart[]> {
  const complete = [...Map.groupBy(starts, ({ block }) => block)].filter(
    ([, ofRound]) => ofRound.length === userAgents.length,
  );
  return new Map(
    complete.map(([block, ofRound]) => {
      const areRequestsKnown = ofRound.every(({ firstRequestEpochMs }) => firstRequestEpochMs !== null);
      const instantOf = ({ startedEpochMs, firstRequestEpochMs }: PassStart) =>
        areRequestsKnown ? firstRequestEpochMs! : startedEpochMs;
      return [block, ofRound.toSorted((a, b) => instantOf(a) - instantOf(b))];
    }),
  );
}

function summarizeSkew(orders: readonly PassStart[][]): ScenarioUsers['startSkewMs'] {
  const skews = sortNumbers(
    orders.map((ofRound) => {
      const startsMs = ofRound.map(({ startedEpochMs }) => startedEpochMs);
      return Math.max(...startsMs) - Math.min(...startsMs);
    }),
  );
  return skews.length === 0 ? null : { median: sampleQuantile(skews, 0.5), largest: skews.at(-1)! };
}

/**
 * How a Scenario treats its User Agents. A relative latency is that of a User Agent in a Round over that of all in the same Round, as a geometric mean over the URLs that
 * at least two of them loaded: 1 is like the others, 1.1 is 10 % more.
 */
const ScenarioUsersSchema = z.object({
  scenario: z.string(),
  users: z.array(
    z.object({
      userAgent: z.string(),
      latencyMs: EstimateSchema.nullable(),
      relativeLatency: EstimateSchema.nullable(),
    }),
  ),
  /** Largest over smallest relative latency of a Round; 1 when all are served alike. */
  maxMinRatio: EstimateSchema.nullable(),
  /** Relative latency by order of the start: the first entry is that of the User Agent whose first request was sent first in each Round. Null where starts are not known, and where the Evaluation lets some begin later. */
  byStartOrder: z.array(EstimateSchema.nullable()).nullable(),
  /** How much less time the first to start takes than the average of its Round, by the logarithms of their latencies. p is corrected over the Scenarios. Null where `byStartOrder` is. */
  firstToStart: ReductionSchema.nullable(),
  /** Between the first and the last start of a Round, each less its intended offset. Null where not known. */
  startSkewMs: z.object({ median: z.number(), largest: z.number() }).nullable(),
});
export type ScenarioUsers = z.infer<typeof ScenarioUsersSchema>;

export const UserComparisonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), scenarios: z.array(ScenarioUsersSchema) }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type UserComparison = z.infer<typeof UserComparisonSchema>;
