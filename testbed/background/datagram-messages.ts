import { z } from 'zod';
import { DelaySummarySchema } from './delay-histogram.ts';

/** What the process of datagrams at either end is started with, as JSON in its only argument. */
export const DatagramProcessOptionsSchema = z.strictObject({
  own: z.string(),
  peer: z.string(),
  /** One end sends pings, which the other returns. */
  sendsPings: z.boolean(),
  voices: z.int().min(0).max(50),
});

const count = z.int().nonnegative();

/** What one end counted. */
export const DatagramAnswerSchema = z.object({
  voiceSent: count,
  voiceReceived: count,
  voiceDelay: DelaySummarySchema.nullable(),
  pingsSent: count,
  pingsReturned: count,
  roundTrip: DelaySummarySchema.nullable(),
});
export type DatagramAnswer = z.infer<typeof DatagramAnswerSchema>;
