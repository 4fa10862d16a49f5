import { z } from 'zod';

/** What the capturing process is started with, as JSON in its only argument. */
export const CaptureProcessOptionsSchema = z.strictObject({
  interface: z.string(),
  filter: z.string(),
  snapBytes: z.int().positive(),
  bufferBytes: z.int().positive(),
});

const count = z.int().nonnegative();

/** What the capturing process sends. It receives one thing, `stop`. */
export const CaptureReportSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('failed'), problem: z.string() }),
  z.strictObject({
    kind: z.literal('stopped'),
    receivedPackets: count,
    droppedByKernel: count,
    droppedByInterface: count,
  }),
]);
export type CaptureReport = z.infer<typeof CaptureReportSchema>;
