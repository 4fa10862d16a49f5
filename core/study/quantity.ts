import { z } from 'zod';
import { pointFigureIds } from '../comparison/network/compare-points.ts';
import { wireFigures } from '../comparison/network/compare-wire.ts';
import { NameSchema } from '../evaluation/name.ts';
import { NetworkFigureSchema } from '../protocol/network-figure.ts';
import { catalogue, metricIds, type MetricId } from '../metrics/index.ts';
import type { MetricUnit } from '../metrics/metric-definition.ts';

/** What the packets of a Visit give, besides its Readings. `handshakeMs` is the TCP handshake of the first connection of its Pass, from the last SYN on: a whole round trip. */
const wireMetricIds = ['packets', 'bytes', 'connections', 'unusedConnections', 'handshakeMs'] as const;
type WireMetricId = (typeof wireMetricIds)[number];

/** What a study can state expectations about: one number of each Visit. */
export const studyMetricIds = [...metricIds, ...wireMetricIds] as const;
export type StudyMetricId = MetricId | WireMetricId;

export const StudyMetricSchema = z.enum(studyMetricIds, { error: `must be one of ${studyMetricIds.join(', ')}` });

export const WhereSchema = z
  .record(
    z.string(),
    z.union([
      z.number(),
      z
        .strictObject({ from: z.number().optional(), to: z.number().optional() })
        .refine(({ from, to }) => from !== undefined || to !== undefined, 'must have "from", "to" or both'),
    ]),
  )
  .default({})
  .describe('The pages that count, by their variables: a value, or a range `{ from, to }` with both ends.');
export type Where = z.infer<typeof WhereSchema>;

export const onlyBytesAtPoint = 'needs the metric "bytes": nothing else is known of a Visit at a Capture Point';

/** Of a quantity or a figure; with the metric `bytes` only. */
export const AtPointSchema = NameSchema.optional().describe(
  'Of the metric `bytes`: the Capture Point that they crossed, from the start of a Visit to that of the next. It is known where one User Agent is measured alone. Without it, they are those at the User Agent’s own interface.',
);

const ofScenario = { metric: StudyMetricSchema, at: AtPointSchema, scenario: NameSchema, where: WhereSchema };
const ofTwo = { ...ofScenario, against: NameSchema };
const onVariable = { ...ofScenario, on: z.string().min(1, 'must be the name of a variable') };

const AnyQuantitySchema = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('mean'), ...ofScenario })
    .describe(
      'The mean of a metric. Of times, it is the geometric mean over Blocks: no interval then falls below zero.',
    ),
  z
    .strictObject({ kind: z.literal('largest'), ...ofScenario })
    .describe(
      'The largest value of a metric in any Visit. It has no interval: the claim holds for the Visits of this Run.',
    ),
  z
    .strictObject({ kind: z.literal('rate'), scenario: NameSchema, where: WhereSchema })
    .describe('The received bytes of a page over its total page load latency, in kb/s.'),
  z.strictObject({ kind: z.literal('difference'), ...ofTwo }).describe('`scenario` minus `against`, page by page.'),
  z
    .strictObject({ kind: z.literal('reduction'), ...ofTwo })
    .describe('1 − the ratio of geometric means of `scenario` and `against`, page by page.'),
  z
    .strictObject({
      kind: z.literal('reduction-difference'),
      ...ofTwo,
      minus: z.strictObject({ scenario: NameSchema, against: NameSchema }),
    })
    .describe('That reduction minus the one of two other Scenarios, Block by Block: does one change the other?'),
  z
    .strictObject({ kind: z.literal('slope'), ...onVariable })
    .describe('What the metric grows by for each 1 of the variable: the slope of the least-squares line.'),
  z
    .strictObject({ kind: z.literal('slope-ratio'), ...onVariable, against: NameSchema })
    .describe('The slope of `scenario` over that of `against`.'),
  z
    .strictObject({ kind: z.literal('fairness'), scenario: NameSchema })
    .describe('Jain’s index of the bytes that the User Agents received while all were active.'),
  z
    .strictObject({ kind: z.literal('least-fairness'), scenario: NameSchema })
    .describe(
      'The least of these indices in any Round. It has no interval: the claim holds for the Rounds of this Run.',
    ),
  z
    .strictObject({ kind: z.literal('least-to-most'), scenario: NameSchema })
    .describe(
      'The bytes of the User Agent that received least over those of the one that received most, in the Round where this is least. It has no interval.',
    ),
  z
    .strictObject({
      kind: z.literal('over-ideal'),
      scenario: NameSchema,
      where: WhereSchema,
    })
    .describe(
      'The total page load latency over the ideal: one round trip of the link, and 1.06 times the received bytes at its rate. 6 % is what the headers of TCP, IP and Ethernet add.',
    ),
  z
    .strictObject({ kind: z.literal('first-to-start'), scenario: NameSchema })
    .describe('How much less time the User Agent that started first takes than the average of its Round.'),
  z
    .strictObject({
      kind: z.literal('user-reduction'),
      ...ofScenario,
      userAgent: NameSchema,
      among: z.array(NameSchema).min(2, 'must name at least two User Agents').optional(),
    })
    .describe(
      'How much less time this User Agent takes than the geometric mean of all, or of those `among` whom it is, page by page.',
    ),
  z
    .strictObject({ kind: z.literal('user-share'), scenario: NameSchema, userAgent: NameSchema })
    .describe('Its share of the bytes that all User Agents received while all were active.'),
  z
    .strictObject({
      kind: z.literal('capture-point'),
      point: NameSchema,
      figure: z.enum(pointFigureIds, { error: `must be one of ${pointFigureIds.join(', ')}` }),
      scenario: NameSchema,
      against: NameSchema.optional(),
    })
    .describe('What crossed a Capture Point per Round. With `against`, the mean of `scenario` over that of `against`.'),
  z
    .strictObject({
      kind: z.literal('network-figure'),
      figure: NetworkFigureSchema.shape.figure,
      unit: NetworkFigureSchema.shape.unit,
      scenario: NameSchema,
      against: NameSchema.optional(),
    })
    .describe(
      'What the emulated network did during a Round, such as `return utilisation`. With `against`, `scenario` minus `against`.',
    ),
]);

/** What is measured for a finding. Every quantity but the extremes has one value in each Block, and its interval is that of their mean. */
export const QuantitySchema = AnyQuantitySchema.refine((quantity) => !('at' in quantity) || isAtPoint(quantity), {
  path: ['at'],
  error: onlyBytesAtPoint,
});
export type Quantity = z.infer<typeof QuantitySchema>;

/** Whether what is named by metric and point is counted. */
export function isAtPoint({ metric, at }: { metric: StudyMetricId; at?: string | undefined }): boolean {
  return at === undefined || metric === 'bytes';
}

export function labelOf(metric: StudyMetricId, at?: string): string {
  if (at !== undefined) return `Bytes at ${at} per Visit`;
  if (metric === 'handshakeMs') return 'First TCP handshake';
  return isWireMetric(metric) ? `${wireFigures[metric].label} per Visit` : catalogue[metric].label;
}

export function unitOf(metric: StudyMetricId): MetricUnit {
  if (!isWireMetric(metric)) return catalogue[metric].unit;
  if (metric === 'handshakeMs') return 'ms';
  return metric === 'bytes' ? 'bytes' : 'count';
}

function isWireMetric(metric: StudyMetricId): metric is WireMetricId {
  return (wireMetricIds as readonly string[]).includes(metric);
}

/** Whether the variable of a page has a wanted value, or one in the wanted range. */
export function isWanted(value: number | undefined, wanted: Where[string]): boolean {
  if (value === undefined) return false;
  const { from = -Infinity, to = Infinity } = typeof wanted === 'number' ? { from: wanted, to: wanted } : wanted;
  return value >= from && value <= to;
}
