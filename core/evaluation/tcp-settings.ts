import { z } from 'zod';
import { wholeNumber } from './units.ts';

/** How TCP is set on one side of the emulated link. What is not given stays as the kernel has it. */
export const TcpSettingsSchema = z.strictObject({
  congestionControl: z
    .string({ error: 'must be the name of a TCP variant' })
    .regex(/^[a-z0-9_-]{1,15}$/, 'must be the kernel’s name of a TCP variant, such as "cubic"')
    .optional()
    .describe('The congestion control, by its name in the kernel: `cubic`, `hybla`, `bbr`, …'),
  initialWindowSegments: wholeNumber({ min: 1, max: 1000 })
    .optional()
    .describe('Initial congestion and receive window, in segments.'),
  fastOpen: z.boolean({ error: 'must be true or false' }).optional().describe('Whether TCP Fast Open is used.'),
  mtuBytes: wholeNumber({ min: 576, max: 9000 }).optional().describe('The largest packet.'),
});

export type TcpSettings = z.infer<typeof TcpSettingsSchema>;
