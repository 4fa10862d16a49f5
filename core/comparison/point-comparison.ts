import { z } from 'zod';
import { EstimateSchema } from './estimate.ts';

/** What is counted at a Capture Point in each Round: its name for people, and its definition. */
export const pointFigures = {
  packets: { label: 'Packets', definition: 'Packets that crossed the Capture Point, per Round.' },
  bytes: { label: 'Bytes', definition: 'Their bytes on the wire, including headers, per Round.' },
  connections: { label: 'Connections', definition: 'TCP connections seen at the Capture Point, per Round.' },
  retransmissions: {
    label: 'Retransmissions',
    definition:
      'TCP segments seen again at the Capture Point, per Round. Segments lost before this interface are not counted.',
  },
  httpRequests: {
    label: 'HTTP requests',
    definition:
      'Requests of HTTP/1.x in plain text that crossed the Capture Point, per Round. Encrypted requests and those of HTTP/2 cannot be seen.',
  },
} as const;
export type PointFigure = keyof typeof pointFigures;
export const pointFigureIds = Object.keys(pointFigures) as [PointFigure, ...PointFigure[]];

/** A value with its interval; `low` and `high` are null where there is none. */
const BoundedSchema = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() });

/** A Scenario against the baseline of its group, over the Blocks that have both. */
export const PointContrastSchema = z.object({
  blocks: z.number().int(),
  /** Scenario − baseline per Round: the mean over Blocks, with its t interval. */
  difference: BoundedSchema,
  /** Scenario over baseline: the ratio of the means, with Fieller's interval of pairs of Blocks. Null where the baseline is 0. */
  ratio: BoundedSchema.nullable(),
});
export type PointContrast = z.infer<typeof PointContrastSchema>;

export const PointValueSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    /** Mean per Round over Rounds. */
    estimate: EstimateSchema,
    /** Null of a baseline, and where no Block has both. */
    contrast: PointContrastSchema.nullable(),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type PointValue = z.infer<typeof PointValueSchema>;

export const ScenarioAtPointSchema = z.object({
  scenario: z.string(),
  /** Rounds that were captured to their end. */
  roundsCounted: z.number().int(),
  roundsLeftOut: z.number().int(),
  /** Why the first of those was left out; null where none was. */
  leftOutReason: z.string().nullable(),
  /** Of those that count: the capture dropped packets, so that its counts are too small. */
  roundsWithDrops: z.number().int(),
  /** Of those that count: some of the traffic was encrypted (TLS or QUIC), so that requests in it are not counted. */
  roundsWithEncryption: z.number().int(),
  figures: z.record(z.enum(pointFigureIds), PointValueSchema),
});
export type ScenarioAtPoint = z.infer<typeof ScenarioAtPointSchema>;

/** What crossed one Capture Point in each Scenario. */
export const PointComparisonSchema = z.object({ point: z.string(), scenarios: z.array(ScenarioAtPointSchema) });
export type PointComparison = z.infer<typeof PointComparisonSchema>;
