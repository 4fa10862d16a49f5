import { z } from 'zod';
import { wholeNumber } from './units.ts';

const yesOrNo = z.boolean({ error: 'must be true or false' });

/** The capture of packets. Only User Agents with a `sourceAddress` have packets that can be told from those of others; without one there is no capture. */
export const CaptureSettingsSchema = z.strictObject({
  enabled: yesOrNo.default(true),
  /** How much of each packet is kept in the trace. The statistics need the headers; 512 bytes hold most TLS hellos too. */
  snapBytes: wholeNumber({ min: 128, max: 65_535 }).default(512),
  /** A capture ends by itself when its trace is longer, and says so. */
  maxBytesPerPass: wholeNumber({ min: 1_000_000, max: 16_000_000_000 }).default(1_000_000_000),
  /** Whether the trace is archived beside its statistics. */
  keepTraces: yesOrNo.default(true),
});

export type CaptureSettings = z.infer<typeof CaptureSettingsSchema>;
