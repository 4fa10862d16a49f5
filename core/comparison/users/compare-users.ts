import { z } from 'zod';
import type { PassStart } from '../../record/run-record.ts';
import { adjustReductions } from '../latencies/adjust-reductions.ts';
import { computeReduction, averagePages, presentValues } from '../latencies/compute-reduction.ts';
import { estimateMean, EstimateSchema } from '../estimate.ts';
import type { CellData, GatheredCells } from '../cells/gather-cells.ts';
import { sampleQuantile, sortNumbers } from '../../statistics/sample-quantile.ts';
import { ReductionSchema } from '../latencies/reduction.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';

interface UsersDesign {
  scenarios: readonly string[];
  userAgents: readonly string[];
  /** Those that take part in each Scenario; all unless given. */
  usersOf?: ReadonlyMap<string, readonly string[]>;
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
  const { confidence, startOffsetsMs = new Map<string, number>() } = design;
  const userAgents = design.usersOf?.get(scenario) ?? design.userAgents;
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
  const byPlace = userAgents.map((_, place) =>
    isolatePlace(
      blocks.map((block) => orders.get(block)?.[place]?.userAgent ?? null),
      relative,
    ),
  );
  // Where some are to begin later, the order is that of the Evaluation and shows nothing of chance.
  const isOrderByChance = orders.size > 0 && new Set(startOffsetsMs.values()).size <= 1 && byPlace[0] !== null;
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
      ? byPlace.map((logs) => logs && estimateMean(presentValues(logs.map(Math.exp)), confidence))
      : null,
    firstToStart: isOrderByChance ? computeReduction(byPlace[0]!, confidence) : null,
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

/**
 * By Block: the logarithm of what the User Agent in one place of the order takes, relative to its Round and to what it takes itself on average: a fast User Agent that is
 * often first makes no advantage of being first. A part of the place goes with that average, the larger the more often one User Agent has it, and is scaled back. Null where
 * one always has it: then nobody knows what is of the place and what of the User Agent.
 */
function isolatePlace(
  users: readonly (string | null)[],
  relative: ReadonlyMap<string, Float64Array>,
): Float64Array | null {
  const logOf = (user: string, block: number) => Math.log(relative.get(user)?.[block] ?? NaN);
  const logs = users.map((user, block) => (user === null ? NaN : logOf(user, block)));
  const known = [...logs.keys()].filter((block) => !Number.isNaN(logs[block]));
  const turns = Map.groupBy(known, (block) => users[block]!);
  if (turns.size < 2) return null;
  const meanOf = (user: string) => {
    const own = known.map((block) => logOf(user, block)).filter((log) => !Number.isNaN(log));
    return summarizeSample(own).mean;
  };
  const means = new Map([...turns.keys()].map((user) => [user, meanOf(user)]));
  const left = [...turns.values()].reduce((rest, own) => rest - (own.length / known.length) ** 2, 1);
  const scale = (1 - 1 / relative.size) / left;
  return Float64Array.from(logs, (log, block) => scale * (log - (means.get(users[block] ?? '') ?? NaN)));
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
  /** Relative latency by order of the start, without what each User Agent takes itself: the first entry is that of the User Agent whose first request was sent first in each Round. Null where starts are not known, where the Evaluation lets some begin later, and where the same is always first. */
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
