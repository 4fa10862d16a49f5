import { z } from 'zod';

const DaysSchema = z
  .int('must be a whole number of days')
  .min(1, 'must be at least 1 day')
  .max(36_500, 'must be at most 36,500 days')
  .nullable();

/** How many days after the end of a Run its data are kept; null: permanently. */
export const KeptDaysSchema = z.strictObject({ snapshotDays: DaysSchema, visitDays: DaysSchema });
export type KeptDays = z.infer<typeof KeptDaysSchema>;

/** Of one Evaluation; null: as for all. */
export const EvaluationRetentionSchema = z.strictObject({ days: KeptDaysSchema.nullable() });
export type EvaluationRetention = z.infer<typeof EvaluationRetentionSchema>;

/** How long and how much is kept. A limit in bytes is of all files together: the oldest go first. */
export const RetentionSchema = z.object({
  days: KeptDaysSchema,
  traces: z.object({ limitBytes: z.number(), storedBytes: z.number() }),
  pictures: z.object({ limitBytes: z.number(), storedBytes: z.number() }),
  databaseBytes: z.number(),
  sessionHours: z.number(),
  idleSessionHours: z.number(),
  ticketHours: z.number(),
});
export type Retention = z.infer<typeof RetentionSchema>;
