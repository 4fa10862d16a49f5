import { z } from 'zod';
import { CaptureOutcomeSchema } from '../capture.ts';

/** The Capture of one Pass, or why there is none. A trace that was deleted to make room is absent, with that reason. */
export const CaptureDetailSchema = z.object({
  passId: z.uuid(),
  runId: z.string(),
  block: z.number().int(),
  scenario: z.string(),
  userAgent: z.string(),
  outcome: CaptureOutcomeSchema,
});
export type CaptureDetail = z.infer<typeof CaptureDetailSchema>;
