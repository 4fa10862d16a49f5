import { z } from 'zod';

/** Why a statistic is not there, in a sentence for people. */
export const absenceReasons = {
  'no-values': 'No Visit gave a value.',
  'too-few-rounds': 'There are too few Rounds.',
  'too-few-visits': 'There are too few Visits.',
  'no-variation': 'All values are equal.',
  'no-pairs': 'No Block has a value under both Scenarios.',
  'not-comparable': 'The two lose objects in different parts of their Visits.',
  'left-out-for-size': 'The report has too many cells to include it. The Visits as CSV have all values.',
} as const;
export type AbsenceReason = keyof typeof absenceReasons;

const AbsentSchema = z.object({
  kind: z.literal('absent'),
  reason: z.enum(Object.keys(absenceReasons) as [AbsenceReason, ...AbsenceReason[]]),
});
export type Absent = z.infer<typeof AbsentSchema>;

/** A single figure, or why there is none. */
export const StatisticSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), value: z.number() }),
  AbsentSchema,
]);
export type Statistic = z.infer<typeof StatisticSchema>;

/** A figure with its interval at the report's confidence; `low` and `high` are null where there are too few Rounds for an interval. */
export const IntervalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), value: z.number(), low: z.number().nullable(), high: z.number().nullable() }),
  AbsentSchema,
]);
export type Interval = z.infer<typeof IntervalSchema>;

/** Kendall's τ-b against time and its two-sided p, or why there is none. */
export const TrendSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), tau: z.number(), p: z.number() }),
  AbsentSchema,
]);

/** Steps of the empirical distribution function, or why there are none. */
export const EcdfSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), points: z.array(z.object({ value: z.number(), ratio: z.number() })) }),
  AbsentSchema,
]);

export function absent(reason: AbsenceReason): Absent {
  return { kind: 'absent', reason };
}

/** The value as a statistic; absent for that reason where it is null. */
export function statisticOf(value: number | null, reason: AbsenceReason): Statistic {
  return value === null ? absent(reason) : { kind: 'measured', value };
}
