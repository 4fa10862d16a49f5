import { z } from 'zod';
import { Sha256Schema } from './capture-outcome.ts';

/** Of one picture: a JPEG of at most 1600 pixels in width and height has far less. */
export const maximumPictureBytes = 1024 * 1024;

/** A JPEG file, which its Agent uploads separately. */
export const PictureSchema = z.object({ sha256: Sha256Schema, bytes: z.int().nonnegative().max(maximumPictureBytes) });
export type Picture = z.infer<typeof PictureSchema>;

/** The picture of a Visit's viewport, taken after its page was measured. */
export const ScreenshotSchema = z.discriminatedUnion('kind', [
  PictureSchema.extend({ kind: z.literal('kept') }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(4096) }),
]);
export type Screenshot = z.infer<typeof ScreenshotSchema>;
