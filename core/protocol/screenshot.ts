import { z } from 'zod';
import { PictureSchema } from './picture.ts';

/** The picture of a Visit's viewport, taken after its page was measured. */
export const ScreenshotSchema = z.discriminatedUnion('kind', [
  PictureSchema.extend({ kind: z.literal('kept') }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(4096) }),
]);
export type Screenshot = z.infer<typeof ScreenshotSchema>;
