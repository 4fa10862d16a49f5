import { z } from 'zod';
import { Sha256Schema } from './capture-outcome.ts';

/** Of one picture: a JPEG of at most 1600 pixels in width and height has far less. */
export const maximumPictureBytes = 1024 * 1024;

/** A JPEG file, which its Agent uploads separately. */
export const PictureSchema = z.object({ sha256: Sha256Schema, bytes: z.int().nonnegative().max(maximumPictureBytes) });
export type Picture = z.infer<typeof PictureSchema>;
