import { z } from 'zod';
import type { WordsOf } from '../setting-words.ts';
import { wholeNumber } from '../units.ts';

const yesOrNo = z.boolean({ error: 'must be true or false' });

/** How much of each packet is kept in the trace. The statistics need the headers; 512 bytes hold most TLS hellos too. */
export const SnapBytesSchema = wholeNumber({ min: 128, max: 65_535 });

/** The capture of packets. Only a `sourceAddress`, or isolation, distinguishes the packets of a User Agent from those of others; without either there is no capture. */
export const CaptureSettingsSchema = z.strictObject({
  enabled: yesOrNo.default(true).describe('Whether packets are captured.'),
  isolate: yesOrNo
    .default(false)
    .describe(
      'Whether User Agents without `osUser` and `sourceAddress` are isolated, so that their packets are captured. Their Agents must be root on Linux.',
    ),
  snapBytes: SnapBytesSchema.default(512).describe('The bytes of each packet that are kept.'),
  maxBytesPerPass: wholeNumber({ min: 1_000_000, max: 16_000_000_000 })
    .default(1_000_000_000)
    .describe('A capture ends when its trace is longer, and the report says so.'),
  keepTraces: yesOrNo.default(true).describe('Whether the trace is kept beside its statistics.'),
});

export type CaptureSettings = z.infer<typeof CaptureSettingsSchema>;

export const captureWords: WordsOf<CaptureSettings> = {
  enabled: { label: 'Capture packets of User Agents that have their own address' },
  isolate: {
    label: 'Isolate the other User Agents, and capture their packets too',
    help: 'Each runs as an OS user of its own, for its Pass. The Agent must be root on Linux.',
  },
  snapBytes: { label: 'Bytes kept per packet', unit: 'bytes' },
  maxBytesPerPass: { label: 'Maximum trace size', unit: 'MB', scale: 1e-6 },
  keepTraces: { label: 'Keep traces as well as statistics' },
};

/**
 * Which packets are captured, in the language of pcap-filter(7); empty: all. Its grammar is checked by libpcap on the host that captures; here only
 * what would reach beyond the brackets that are put around it.
 */
export const CaptureFilterSchema = z
  .string({ error: 'must be a pcap filter, such as "tcp port 80"' })
  .trim()
  .max(4000, 'must have at most 4000 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must be a single line')
  .refine(hasMatchingBrackets, 'has unmatched brackets');

function hasMatchingBrackets(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) return false;
  }
  return depth === 0;
}
