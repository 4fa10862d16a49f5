import { z } from 'zod';
import { CaptureOutcomeSchema } from '../capture-outcome.ts';

/** In which Round a Capture was made, and the Capture, or why there is none. A trace that was deleted to make room is absent, with that reason. */
const CaptureInRoundSchema = z.object({
  runId: z.string(),
  block: z.number().int(),
  scenario: z.string(),
  outcome: CaptureOutcomeSchema,
});

/** The Capture of one Pass. */
export const CaptureDetailSchema = CaptureInRoundSchema.extend({ passId: z.uuid(), userAgent: z.string() });
export type CaptureDetail = z.infer<typeof CaptureDetailSchema>;

/** The Capture at one Capture Point in one Round. */
export const PointCaptureDetailSchema = CaptureInRoundSchema.extend({
  captureId: z.uuid(),
  capturePoint: z.string(),
  host: z.string(),
  interface: z.string(),
  filter: z.string(),
});
export type PointCaptureDetail = z.infer<typeof PointCaptureDetailSchema>;
