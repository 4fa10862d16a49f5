import { z } from 'zod';
import type { WordsOf } from '../setting-words.ts';
import { TcpSettingsSchema, tcpVariantWords } from './tcp-settings.ts';
import { wholeNumber } from '../units.ts';

/** Where a transport PEP can be, from the users to the origins. */
export const tcpPepPlaces = ['terminal', 'gateway'] as const;
export type TcpPepPlace = (typeof tcpPepPlaces)[number];

export const tcpPepPrograms = ['haproxy', 'pepsal'] as const;

/** A performance-enhancing proxy of the transport layer (RFC 3135): it ends each TCP connection that passes, and makes one of its own to the same address, from the same address. */
export const TcpPepSchema = z.strictObject({
  at: z
    .preprocess(
      (input) => (typeof input === 'string' ? [input] : input),
      z
        .array(z.enum(tcpPepPlaces, { error: 'must be "terminal" or "gateway"' }))
        .min(1, 'must name the terminal, the gateway, or both')
        .refine((places) => new Set(places).size === places.length, 'must name each node once'),
    )
    .default(['terminal', 'gateway'])
    .describe('The nodes that split connections.'),
  program: z
    .enum(tcpPepPrograms, { error: 'must be "haproxy" or "pepsal"' })
    .default('haproxy')
    .describe('The program that splits connections. `pepsal` is for hosts on which you have installed it.'),
  congestionControl: TcpSettingsSchema.shape.congestionControl.describe(
    'The congestion control of its connections, by its name in the kernel. Without it, the kernel’s default.',
  ),
  windowBytes: wholeNumber({ min: 8192, max: 16_777_216 })
    .optional()
    .describe(
      'The window of each of its connections: what it may receive, and what it sends at once over the satellite. Without it, the kernel’s, which begins with 10 segments.',
    ),
});
export type TcpPep = z.infer<typeof TcpPepSchema>;

export const tcpPepWords: WordsOf<Omit<TcpPep, 'at'>> = {
  program: { label: 'Program', choices: { pepsal: 'PEPsal, where you have installed it' } },
  congestionControl: tcpVariantWords,
  windowBytes: { label: 'Window', unit: 'bytes', byDefault: 'kernel default' },
};
