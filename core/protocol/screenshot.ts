import { z } from 'zod';
import { Sha256Schema } from './capture.ts';

/** Of one picture: a JPEG of at most 1600 pixels in width and height has far less. */
export const maximumScreenshotBytes = 1024 * 1024;

/** The picture of a Visit's viewport, taken after its page was measured: a JPEG file, which its Agent uploads by itself. */
export const ScreenshotSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept'), sha256: Sha256Schema, bytes: z.int().nonnegative().max(maximumScreenshotBytes) }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(4096) }),
]);
export type Screenshot = z.infer<typeof ScreenshotSchema>;
