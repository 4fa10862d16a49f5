import { z } from 'zod';
import { wholeNumber } from './units.ts';

/** How TCP is set on one side of the emulated link. What is not given stays as the kernel has it. */
export const TcpSettingsSchema = z.strictObject({
  /** The congestion control variant by its kernel name, such as `cubic`, `hybla` or `bbr`. */
  congestionControl: z
    .string({ error: 'must be the name of a TCP variant' })
    .regex(/^[a-z0-9_-]{1,15}$/, 'must be the name that the kernel gives a TCP variant, such as "cubic"')
    .optional(),
  /** Initial congestion and receive window, in segments. */
  initialWindowSegments: wholeNumber({ min: 1, max: 1000 }).optional(),
  fastOpen: z.boolean({ error: 'must be true or false' }).optional(),
  mtuBytes: wholeNumber({ min: 576, max: 9000 }).optional(),
});

export type TcpSettings = z.infer<typeof TcpSettingsSchema>;
