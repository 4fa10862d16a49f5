import { z } from 'zod';
import type { WordsOf } from '../setting-words.ts';
import { wholeNumber } from '../units.ts';

/** What the interfaces of the emulated link carry. Larger packets are lost there, and what TCP agrees on would stall. */
export const mostMtuBytes = 1500;
export const tooLargeMtu = `must be at most ${mostMtuBytes}: the emulated link carries no larger packets`;

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
  mtuBytes: wholeNumber({ min: 576, max: 9000 })
    .optional()
    .describe('The largest packet. The link carries at most 1500 bytes.'),
  receiveBufferBytes: wholeNumber({ min: 4096, max: 16_777_216 })
    .optional()
    .describe('The largest receive window that is advertised, in bytes of payload.'),
  sendBufferBytes: wholeNumber({ min: 8192, max: 33_554_432 })
    .optional()
    .describe('The memory of a connection for what it sends, the kernel’s overhead included.'),
  slowStartAfterIdle: z
    .boolean({ error: 'must be true or false' })
    .optional()
    .describe('Whether a connection begins slowly again after it was idle (RFC 5681, 4.1).'),
  ecn: z
    .boolean({ error: 'must be true or false' })
    .optional()
    .describe('Whether connections ask for Explicit Congestion Notification (RFC 3168). `false` refuses it, too.'),
});

export type TcpSettings = z.infer<typeof TcpSettingsSchema>;

const byDefault = 'kernel default';

export const tcpVariantWords = {
  label: 'TCP variant',
  byDefault,
  suggestions: ['cubic', 'reno', 'bbr', 'hybla', 'vegas', 'westwood', 'bic'],
};

export const tcpWords: WordsOf<TcpSettings> = {
  congestionControl: tcpVariantWords,
  initialWindowSegments: { label: 'Initial window', unit: 'segments', byDefault },
  fastOpen: { label: 'TCP Fast Open', byDefault },
  mtuBytes: { label: 'MTU', unit: 'bytes', byDefault },
  receiveBufferBytes: {
    label: 'TCP receive window',
    unit: 'bytes',
    byDefault,
    show: (bytes) => `at most ${bytes} bytes`,
  },
  sendBufferBytes: { label: 'TCP send buffer', unit: 'bytes', byDefault },
  slowStartAfterIdle: { label: 'Slow start after idle', byDefault },
  ecn: { label: 'ECN', byDefault },
};
