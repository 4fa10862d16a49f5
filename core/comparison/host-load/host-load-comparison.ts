import { z } from 'zod';
import type { RecordedVisit } from '../../record/run-record.ts';
import { sampleQuantile, sortNumbers } from '../../statistics/sample-quantile.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';
import { loadMeasureIds } from './load-measure.ts';

const LoadRangeSchema = z.object({ median: z.number(), largest: z.number() });

/** Rounds of one Scenario in which a host was much busier than in its others. */
export const BusyRoundsSchema = z.object({
  host: z.string(),
  scenario: z.string(),
  measure: z.enum(loadMeasureIds),
  /** The Blocks of the busy Rounds, ascending. */
  blocks: z.array(z.number().int()),
  /** All Rounds of the Scenario on this host. */
  rounds: z.number().int(),
  busyMean: z.number(),
  calmMean: z.number(),
});
export type BusyRounds = z.infer<typeof BusyRoundsSchema>;

/** A Scenario under which the hosts were busier, or less busy, than under the baseline, paired by Block. */
export const LoadDifferenceSchema = z.object({
  scenario: z.string(),
  measure: z.enum(loadMeasureIds),
  blocks: z.number().int(),
  mean: z.number(),
  baselineMean: z.number(),
  /** Student's t of the differences by Block, corrected by Holm's method over all Scenarios and measures. */
  adjustedP: z.number(),
});
export type LoadDifference = z.infer<typeof LoadDifferenceSchema>;

/** How busy the hosts were while they measured, as parts of the host or of the time. */
export const HostLoadComparisonSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    /** Over the Rounds that count; null where the host does not show it. */
    hosts: z.array(
      z.object({
        host: z.string(),
        cpuCount: z.number().int(),
        rounds: z.number().int(),
        measures: z.object(
          Object.fromEntries(loadMeasureIds.map((id) => [id, LoadRangeSchema.nullable()])) as Record<
            (typeof loadMeasureIds)[number],
            z.ZodNullable<typeof LoadRangeSchema>
          >,
        ),
      }),
    ),
    /** Hosts that do not show how busy they are, and why. */
    unknown: z.array(z.object({ host: z.string(), reason: z.string() })),
    busyRounds: z.array(BusyRoundsSchema),
    differences: z.array(LoadDifferenceSchema),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type HostLoadComparison = z.infer<typeof HostLoadComparisonSchema>;

/** By how much hosts may have made the latencies of a Visit longer, over the Visits of a Scenario that loaded (ms). An upper bound for each: what waited may not have been needed. */
export const HostDelaySchema = z.object({
  scenario: z.string(),
  visits: z.number().int(),
  meanMs: z.number(),
  p95Ms: z.number(),
});
export type HostDelay = z.infer<typeof HostDelaySchema>;

/** Of the Scenarios with Visits whose Agents reported it, in their order. */
export function describeHostDelays(visits: readonly RecordedVisit[], scenarios: readonly string[]): HostDelay[] {
  const delays = new Map<string, number[]>(scenarios.map((scenario) => [scenario, []]));
  for (const { scenario, isFailed, isExcluded, hostDelayMs } of visits)
    if (!isFailed && !isExcluded && hostDelayMs !== null) delays.get(scenario)?.push(hostDelayMs);
  return [...delays].flatMap(([scenario, values]) =>
    values.length === 0
      ? []
      : [
          {
            scenario,
            visits: values.length,
            meanMs: summarizeSample(values).mean,
            p95Ms: sampleQuantile(sortNumbers(values), 0.95),
          },
        ],
  );
}
