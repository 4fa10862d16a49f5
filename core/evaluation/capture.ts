import { z } from 'zod';
import { wholeNumber } from './units.ts';

const yesOrNo = z.boolean({ error: 'must be true or false' });

/** How much of each packet is kept in the trace. The statistics need the headers; 512 bytes hold most TLS hellos too. */
export const SnapBytesSchema = wholeNumber({ min: 128, max: 65_535 });

/** The capture of packets. Of User Agents only those with a `sourceAddress` have packets that can be told from those of others; without one there is no capture. */
export const CaptureSettingsSchema = z.strictObject({
  enabled: yesOrNo.default(true),
  snapBytes: SnapBytesSchema.default(512),
  /** A capture, of a Pass or of a Capture Point in a Round, ends by itself when its trace is longer, and says so. */
  maxBytesPerPass: wholeNumber({ min: 1_000_000, max: 16_000_000_000 }).default(1_000_000_000),
  /** Whether the trace is archived beside its statistics. */
  keepTraces: yesOrNo.default(true),
});

export type CaptureSettings = z.infer<typeof CaptureSettingsSchema>;
