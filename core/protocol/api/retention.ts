import { z } from 'zod';

/** How long and how much is kept. A limit in bytes is of all files together: the oldest go first. */
export const RetentionSchema = z.object({
  traces: z.object({ limitBytes: z.number(), storedBytes: z.number() }),
  pictures: z.object({ limitBytes: z.number(), storedBytes: z.number() }),
  databaseBytes: z.number(),
  sessionHours: z.number(),
  idleSessionHours: z.number(),
  ticketHours: z.number(),
});
export type Retention = z.infer<typeof RetentionSchema>;
