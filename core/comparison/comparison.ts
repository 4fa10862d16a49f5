import { z } from 'zod';
import { latencyIds } from '../metrics/index.ts';
import { LatencyOriginSchema } from '../metrics/latency-origin.ts';
import { RunStateSchema } from '../protocol/api/run-summary.ts';
import { BlockDecisionSchema } from '../stop-rule/block-decision.ts';
import { ExclusionSchema } from '../record/exclusion.ts';
import { AbsenceCountSchema } from './cells/count-absences.ts';
import { MeanReductionSchema } from './latencies/compute-reduction.ts';
import { HttpepComparisonSchema } from './network/compare-httpep.ts';
import { PointComparisonSchema } from './network/compare-points.ts';
import { ScenarioConditionsSchema, SharedSettingSchema } from './scenario-settings/scenario-conditions.ts';
import { CausesComparisonSchema } from './causes/causes-comparison.ts';
import { DoubtfulBlocksSchema } from './checks/doubtful-blocks.ts';
import { ComparedGroupSchema } from './compared-group.ts';
import { ContrastSchema, ReversalSchema } from './latencies/contrast.ts';
import { DistributionSchema } from './latencies/describe-distribution.ts';
import { HostLoadComparisonSchema, HostDelaySchema } from './host-load/host-load-comparison.ts';
import { EstimateSchema } from './estimate.ts';
import { FailedObjectsSchema } from './failed-objects/failed-objects.ts';
import { ReductionSchema } from './latencies/reduction.ts';
import { LackingRecordingsSchema } from './remarks/lacking-recordings.ts';
import { RemarkSchema } from './remarks/remark.ts';
import { DelaysComparisonSchema } from './users/compare-delays.ts';
import { HarmComparisonSchema } from './users/compare-harm.ts';
import { sampleQuantile, sortNumbers } from '../statistics/sample-quantile.ts';
import { UserComparisonSchema } from './users/compare-users.ts';

/** The skew of the starts over the Rounds of a Run. */
const SkewSummarySchema = z.object({
  rounds: z.number().int(),
  medianMs: z.number(),
  largestMs: z.number(),
  /** The largest bound of the error of any of these Rounds; null where a Round has none, as those of older Agents. */
  errorMs: z.number().nullable(),
});
export type SkewSummary = z.infer<typeof SkewSummarySchema>;

export { EstimateSchema, type Estimate } from './estimate.ts';
export { ReductionSchema, type Reduction } from './latencies/reduction.ts';

/** A part of Visits with Wilson's interval; ratios between 0 and 1. */
const ProportionSchema = z.object({
  count: z.number().int(),
  of: z.number().int(),
  ratio: z.number(),
  low: z.number(),
  high: z.number(),
});

const countSchemas = {
  /** Visits that count, without those that were excluded. */
  visits: z.number().int(),
  failedVisits: z.number().int(),
  /** Of the failed ones, those that were given up at the time limit. */
  timedOutVisits: z.number().int(),
  /** Visits that loaded but have no value of this metric, such as one that never settled. */
  absentVisits: z.number().int(),
  /** Visits that a person left out of the statistics, for a reason that is recorded. They are in none of the other counts. */
  excludedVisits: z.number().int(),
  /** Visits that lost objects: more failed than in the Visit of the page with the fewest failures. What they count for, `failedObjects.rule` says. */
  lossyVisits: z.number().int(),
  /** Of the lossy Visits, those that give no latency, by the rule `exclude`. By `fail` they are among the failed ones. */
  leftOutVisits: z.number().int(),
  /** Null without Visits. */
  failures: ProportionSchema.nullable(),
  timeouts: ProportionSchema.nullable(),
};

/** One URL under one Scenario, pooled over User Agents (`userAgent: null`) or of one of them. */
export const CellSchema = z.object({
  scenario: z.string(),
  userAgent: z.string().nullable(),
  url: z.string(),
  label: z.string(),
  variables: z.record(z.string(), z.number()),
  ...countSchemas,
  /** Null when no Visit has a value. */
  estimate: EstimateSchema.nullable(),
  /** Null when no Visit has a value. */
  distribution: DistributionSchema.nullable(),
  /** Against the cell of its baseline; null for the baseline, for the cell of a single User Agent, when no Block has both, and where the verdict of its Scenario is `not-comparable`. Corrected over all URLs and Scenarios. */
  reduction: ReductionSchema.nullable(),
});
export type Cell = z.infer<typeof CellSchema>;

export const ScenarioComparisonSchema = z.object({
  scenario: z.string(),
  isBaseline: z.boolean(),
  ...countSchemas,
  /** Mean over URLs and User Agents of one Round, over Rounds; of those (User Agent, URL) that have a value in every Scenario, so that all are means of the same pages. */
  estimate: EstimateSchema.nullable(),
  distribution: DistributionSchema.nullable(),
  /** The value of each Round, by Block. */
  blocks: z.array(z.object({ block: z.number().int(), value: z.number() })),
  /** Null for the baseline, when no Block has both, and where the verdict is `not-comparable`. */
  reduction: ReductionSchema.nullable(),
  /** The same of arithmetic means. */
  meanReduction: MeanReductionSchema.nullable(),
  /** Null for the baseline, and when one of the two has no value at all. */
  contrast: ContrastSchema.nullable(),
  /** Where some pages are faster than under the baseline and others slower; null where that is not shown. */
  reversal: ReversalSchema.nullable(),
});
export type ScenarioComparison = z.infer<typeof ScenarioComparisonSchema>;

export const MetricComparisonSchema = z.object({
  metric: z.enum(latencyIds),
  /** How many p-values were corrected together with those of the Scenarios here; null when the metric is not in the family. */
  familySize: z.number().int().nullable(),
  /** (User Agent, URL) that have a value in every Scenario which has any, out of all: the estimates of Scenarios are of those. */
  commonPages: z.object({ count: z.number().int(), of: z.number().int() }),
  scenarios: z.array(ScenarioComparisonSchema),
  /** URL × Scenario, pooled over User Agents, then URL × Scenario × User Agent. */
  cells: z.array(CellSchema),
});
export type MetricComparison = z.infer<typeof MetricComparisonSchema>;

export const ScenarioBandwidthSchema = z.object({
  scenario: z.string(),
  /** Rounds that count here: the packets of every User Agent were captured, and all were active together. */
  roundsCounted: z.number().int(),
  roundsLeftOut: z.number().int(),
  /** Of those that count: a capture dropped packets, so that its share is too small. */
  roundsWithDrops: z.number().int(),
  /** Mean over Rounds of a User Agent's part of all bytes received, between 0 and 1. */
  shares: z.array(z.object({ userAgent: z.string(), estimate: EstimateSchema })),
  /** Mean over Rounds of Jain's fairness index; null when no Round counts. */
  fairness: EstimateSchema.nullable(),
  /** The same of what each received over its weight, which is its part of its class; null, too, where the Scenario has no class for every User Agent. */
  weightedFairness: EstimateSchema.nullable(),
  /** Mean over Rounds of the least that a User Agent received over the most, between 0 and 1. */
  leastToMost: EstimateSchema.nullable(),
});
export type ScenarioBandwidth = z.infer<typeof ScenarioBandwidthSchema>;

/** How the User Agents of each Scenario shared the way to them. */
export const BandwidthComparisonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), scenarios: z.array(ScenarioBandwidthSchema) }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type BandwidthComparison = z.infer<typeof BandwidthComparisonSchema>;

/** The report: every Scenario against the baseline, or against that of its group. */
export const ComparisonSchema = z.object({
  runId: z.string(),
  evaluationName: z.string(),
  runState: RunStateSchema,
  seed: z.number().int(),
  /** Of every interval, as declared. */
  confidence: z.number(),
  /** At which intervals are computed so that they hold it: higher where a stop rule may have ended the Run, and where Rounds were added after the result had been seen. */
  intervalConfidence: z.number(),
  primaryMetric: z.enum(latencyIds),
  /** From when all latencies here count; missing where it is navigation start. */
  countedFrom: LatencyOriginSchema.optional(),
  /** Of the first group, where there are groups. */
  baseline: z.string(),
  /** In the order of their first Scenarios; missing where the Evaluation has none. */
  groups: z.array(ComparedGroupSchema).optional(),
  /** In the order of the Evaluation. */
  scenarios: z.array(z.string()),
  userAgents: z.array(z.string()),
  /** In the same order: what sets each apart. */
  conditions: z.array(ScenarioConditionsSchema),
  /** What was set for all of them alike. */
  sharedSettings: z.array(SharedSettingSchema),
  /** The finding in words, made from the statistics: one for each Scenario other than a baseline, in their order. */
  findings: z.array(z.string()),
  /** What to know before believing them. */
  remarks: z.array(RemarkSchema),
  roundsCounted: z.number().int(),
  roundsBroken: z.number().int(),
  warmUpRounds: z.number().int(),
  unsettledVisits: z.number().int(),
  hiddenVisits: z.number().int(),
  /** Missing where no Scenario replays a Site. */
  lackingRecordings: LackingRecordingsSchema.optional(),
  /** Missing in reports of older Controllers. */
  doubtfulBlocks: DoubtfulBlocksSchema.optional(),
  /** How far apart the User Agents of a Round were ordered to load their first page, over the Rounds; null when never known. */
  startSkew: SkewSummarySchema.nullable(),
  /** The same of the first requests that they sent; null where these are not known. */
  firstRequestSkew: SkewSummarySchema.nullable(),
  /** The same of their first packets; null where they were never captured of all User Agents of a Round. */
  firstPacketSkew: SkewSummarySchema.nullable(),
  /** In step: the same of the first requests of the pages after the first, the largest of each Round. Missing where each User Agent went by itself. */
  pageSkew: SkewSummarySchema.optional(),
  /** What its stop rule decided in the end, and which means missed their target; null while the Run continues, and when something else ended it. */
  ending: BlockDecisionSchema.nullable(),
  /** Every exclusion of a Visit, reversed ones too. */
  exclusions: z.array(ExclusionSchema),
  metrics: z.array(MetricComparisonSchema),
  /** How many cells of single User Agents are not here: none was asked for, or there are too many for one document. Missing where all are here. */
  userCellsLeftOut: z.number().int().optional(),
  /** Why, in the primary metric, counted from navigation start. */
  causes: CausesComparisonSchema.default({
    kind: 'absent',
    reason: 'The report was written before there were causes.',
  }),
  /** Which objects failed, by Scenario, and what the Evaluation declares for Visits that lost some. */
  failedObjects: FailedObjectsSchema,
  /** Why Visits that loaded have no value of a metric. */
  absences: z.array(AbsenceCountSchema),
  /** Why there are no packets, by the Evaluation; null where there are, or were to be, those of a User Agent. */
  noCapture: z.string().nullable(),
  /** Compares the User Agents of each Scenario with each other, in the primary metric. */
  users: UserComparisonSchema,
  /** What the others cost each of them; missing where no Scenario has one alone. */
  harm: HarmComparisonSchema.optional(),
  /** Who delays whom on the link; missing in reports of older Controllers. */
  delays: DelaysComparisonSchema.optional(),
  bandwidth: BandwidthComparisonSchema,
  /** What crossed each Capture Point; missing where the Evaluation has none. */
  capturePoints: z.array(PointComparisonSchema).optional(),
  /** What HTTPEP counted; missing where no Scenario used it. */
  httpep: HttpepComparisonSchema.optional(),
  hostLoad: HostLoadComparisonSchema,
  /** Empty where no Agent reported it. */
  hostDelays: z.array(HostDelaySchema),
});
export type Comparison = z.infer<typeof ComparisonSchema>;

/** Null when no Round has a skew. */
export function summarizeSkew(
  rounds: readonly { skewMs: number | null; errorMs: number | null }[],
): SkewSummary | null {
  const known = rounds.flatMap(({ skewMs, errorMs }) => (skewMs === null ? [] : [{ skewMs, errorMs }]));
  if (known.length === 0) return null;
  const skews = sortNumbers(known.map(({ skewMs }) => skewMs));
  const errors = known.flatMap(({ errorMs }) => errorMs ?? []);
  return {
    rounds: known.length,
    medianMs: sampleQuantile(skews, 0.5),
    largestMs: skews.at(-1)!,
    errorMs: errors.length < known.length ? null : Math.max(...errors),
  };
}
