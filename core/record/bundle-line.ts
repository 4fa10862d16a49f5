import { z } from 'zod';
import { EvaluationSchema } from '../evaluation/evaluation.ts';
import { AddedRoundsSchema } from '../evaluation/rounds/repetition.ts';
import { AbsenceReasonSchema } from '../metrics/metric-definition.ts';
import { RoundStateSchema } from '../protocol/api/run.ts';
import { RunStateSchema } from '../protocol/api/run-summary.ts';
import { RunLabelsSchema } from '../protocol/api/run-labels.ts';
import { HostLoadSchema } from '../protocol/host-load.ts';
import { NetworkFiguresSchema } from '../protocol/network-figure.ts';
import { VisitWireSchema } from '../protocol/capture-outcome.ts';
import { StartSkewFields } from '../protocol/start-skew.ts';
import { BlockDecisionSchema } from '../stop-rule/block-decision.ts';
import { ExclusionSchema } from './exclusion.ts';

/** Rises when an older reader would misread a bundle: one of version 1 knows of no Rounds that were added, and so of no correction for them. */
export const bundleVersion = 1;
export const bundleVersionWithAdded = 2;

const Time = z.iso.datetime({ offset: true });
const stored = z.record(z.string(), z.unknown());

/** Beyond these, products and ratios of latencies are no numbers. No clock gives such times. */
const shortestMs = 1e-100;
const longestMs = 1e13;

/** What a report takes of a Visit; its line has more: the raw Snapshot and all Readings. */
const VisitLineSchema = z
  .object({
    kind: z.literal('visit'),
    id: z.uuid(),
    passId: z.uuid(),
    sequence: z.number().int(),
    url: z.string(),
    /** Without it, `url`. */
    address: z.string().optional(),
    repetition: z.number().int(),
    startedEpochMs: z.number(),
    /** From the order to load to the first request; null, as in bundles of older Controllers, where that is not known. */
    requestDelayMs: z.number().nullable().default(null),
    hostDelayMs: z.number().nullable().default(null),
    status: z.enum(['ok', 'failed']),
    code: z.string().nullable(),
    isSettled: z.boolean().nullable(),
    isHidden: z.boolean().nullable(),
    metricsVersion: z.number().int(),
    /** As `packCauses` arranges them, in base64; null, as in bundles of older Controllers, where they are not derived. */
    clockOffsetMs: z.number().default(0),
    causesVersion: z.number().int().nullable().default(null),
    causes: z.base64().max(10_000).nullable().default(null),
    /** As `packPath` arranges it. */
    criticalPath: z.array(z.number()).max(100_000).nullable().default(null),
    readings: z
      .object({
        requestStartMs: z.number(),
        baseMs: z.number(),
        viewportMs: z.number(),
        totalMs: z.number(),
        failedObjectCount: z.number().int().nonnegative(),
      })
      .partial()
      .catchall(z.number()),
    absences: z
      .object({
        requestStartMs: AbsenceReasonSchema,
        baseMs: AbsenceReasonSchema,
        viewportMs: AbsenceReasonSchema,
        totalMs: AbsenceReasonSchema,
      })
      .partial(),
  })
  .refine(
    ({ readings }) =>
      Object.values(readings).every((ms = 0) => ms === 0 || (Math.abs(ms) >= shortestMs && Math.abs(ms) <= longestMs)),
    { path: ['readings'], error: `must be 0, or a time from ${shortestMs} to ${longestMs} ms` },
  );
export type VisitLine = z.infer<typeof VisitLineSchema>;

const RoundLineSchema = z.object({
  kind: z.literal('round'),
  id: z.uuid(),
  index: z.number().int(),
  block: z.number().int(),
  scenario: z.string(),
  warmUp: z.boolean(),
  attempt: z.number().int(),
  state: RoundStateSchema,
  /** What the emulated network did during the Round. */
  linkCheck: z.object({ during: NetworkFiguresSchema.optional() }).nullish(),
  ...StartSkewFields,
});
export type RoundLine = z.infer<typeof RoundLineSchema>;

/**
 * A line of a bundle: all that is stored of a Run, so that its report can be made elsewhere. First `bundle`, then `run`, `host`s and `exclusion`s, then each
 * `round` with its `script`s and `pass`es, after each of these its `capture` and its `visit`s; at last `end`. docs/data-dictionary.md describes every field.
 */
export const BundleLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('bundle'),
    version: z.literal([bundleVersion, bundleVersionWithAdded], {
      error: `must be ${bundleVersion} or ${bundleVersionWithAdded}: another version of HTTP-AE wrote it`,
    }),
    httpAeVersion: z.string(),
    metricsVersion: z.number().int(),
  }),
  z.object({
    kind: z.literal('run'),
    id: z.string(),
    state: RunStateSchema,
    seed: z.number().int(),
    createdAt: Time,
    evaluation: EvaluationSchema,
    labels: RunLabelsSchema.default({}),
    added: z.array(AddedRoundsSchema).default([]),
    ending: BlockDecisionSchema.nullable(),
  }),
  z.object({ kind: z.literal('host'), name: z.string(), agentVersion: z.string(), facts: stored }),
  ExclusionSchema.extend({ kind: z.literal('exclusion') }),
  RoundLineSchema,
  z.object({
    kind: z.literal('script'),
    roundId: z.uuid(),
    phase: z.string().default(''),
    script: z.string().default(''),
    output: z.string().default(''),
  }),
  z.object({ kind: z.literal('capture-point'), id: z.uuid(), roundId: z.uuid(), name: z.string() }),
  z.object({
    kind: z.literal('pass'),
    id: z.uuid(),
    roundId: z.uuid(),
    userAgent: z.string(),
    agent: z.string(),
    hostLoad: HostLoadSchema.nullable().default(null),
  }),
  /** `of` is the id of its Pass or of its Capture Point. */
  z.object({
    kind: z.literal('capture'),
    of: z.uuid(),
    traceSha256: z.string().nullable(),
    traceBytes: z.number().nullable(),
    outcome: stored,
    /** The packets of each Visit of a Pass, by the id of the Visit. */
    visits: z.record(z.uuid(), VisitWireSchema).default({}),
  }),
  VisitLineSchema,
  z.object({ kind: z.literal('end'), lines: z.number().int(), sha256: z.string() }),
]);
export type BundleLine = z.infer<typeof BundleLineSchema>;
