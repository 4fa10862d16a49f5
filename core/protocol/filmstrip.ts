import { z } from 'zod';
import { Sha256Schema } from './capture-outcome.ts';

/** Of one picture: a JPEG of at most 1600 pixels in width and height has far less. */
export const maximumPictureBytes = 1024 * 1024;

/** A JPEG file, which its Agent uploads separately. */
const PictureSchema = z.object({ sha256: Sha256Schema, bytes: z.int().nonnegative().max(maximumPictureBytes) });
export type Picture = z.infer<typeof PictureSchema>;

/** The picture of a Visit's viewport, taken after its page was measured. */
export const ScreenshotSchema = z.discriminatedUnion('kind', [
  PictureSchema.extend({ kind: z.literal('kept') }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(4096) }),
]);
export type Screenshot = z.infer<typeof ScreenshotSchema>;

/** Of one Visit. */
export const filmstripLimits = { frames: 60, bytes: 1024 * 1024 };

const FilmFrameSchema = PictureSchema.extend({
  /** When the compositor had it shown, on the clock of the Snapshot. One before navigation start is what was there when it began. */
  shownEpochMs: z.number().positive().max(8.64e15),
  /** Visual progress: how much of the change of colours from the first look to the last it has. Left out by older Agents. */
  progressRatio: z.number().min(0).max(1).optional(),
});

/** What the viewport showed while a page loaded: the first frame of each look that differed from the one before. */
export const FilmstripSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('kept'),
    /** In the order of their times. */
    frames: z
      .array(FilmFrameSchema)
      .min(1)
      .max(filmstripLimits.frames)
      .refine(
        (frames) => frames.reduce((sum, { bytes }) => sum + bytes, 0) <= filmstripLimits.bytes,
        `must have at most ${filmstripLimits.bytes} bytes together`,
      )
      .refine(
        (frames) =>
          frames.every(({ shownEpochMs }, index) => index === 0 || shownEpochMs >= frames[index - 1]!.shownEpochMs),
        'must be in the order of their times',
      ),
    /** Looks that were shown for the shortest times and had no room. */
    leftOut: z.int().nonnegative().max(1_000_000),
    /** The last look was seen only when the film ended: since when it was shown is not known, but after the one before. */
    isLastLate: z.boolean(),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(4096) }),
]);
export type Filmstrip = z.infer<typeof FilmstripSchema>;
