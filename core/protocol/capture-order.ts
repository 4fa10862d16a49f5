import { z } from 'zod';
import { CaptureFilterSchema } from '../evaluation/capture/capture-filter.ts';
import { CaptureSettingsSchema } from '../evaluation/capture/capture-settings.ts';
import { NameSchema } from '../evaluation/name.ts';
import { InterfaceSchema } from '../evaluation/users/user-identity.ts';

/** How a Capture is to be made. */
export const CaptureLimitsSchema = CaptureSettingsSchema.omit({ enabled: true, isolate: true });

/** What an Agent needs to capture at a Capture Point in one Round. */
export const CaptureOrderSchema = z.object({
  captureId: z.uuid(),
  roundId: z.uuid(),
  capturePoint: NameSchema,
  interface: InterfaceSchema,
  filter: CaptureFilterSchema,
  limits: CaptureLimitsSchema,
  /** It ends automatically after this time, so that a lost order to stop leaves no capture behind. */
  endAfterMs: z.number().positive(),
});
export type CaptureOrder = z.infer<typeof CaptureOrderSchema>;
