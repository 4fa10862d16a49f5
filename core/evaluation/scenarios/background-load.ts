import { z } from 'zod';
import { wholeNumber } from '../units.ts';

const users = wholeNumber({ min: 1, max: 50 }).default(1).describe('How many at the same time.');

/** Rates of one video in kb/s, from the lowest: those of Huang et al. 2014, section 2. */
const defaultLadderKbps = [235, 375, 560, 750, 1050, 1750, 2350, 3000];

const LadderSchema = z
  .array(
    z
      .number({ error: 'must be a number of kilobits per second' })
      .min(16, 'must be at least 16')
      .max(50_000, 'must be at most 50000'),
  )
  .min(1, 'must have at least one rate')
  .max(20, 'must have at most 20 rates')
  .refine((rates) => rates.every((rate, index) => index === 0 || rate > rates[index - 1]!), 'must rise')
  .default(defaultLadderKbps)
  .describe('The rates of the video in kb/s, rising.');

const backgroundKinds = ['bulk-download', 'bulk-upload', 'video', 'voice'];

const LoadSchema = z.discriminatedUnion(
  'kind',
  [
    z
      .strictObject({ kind: z.literal('bulk-download'), users })
      .describe('A TCP connection for each user, to the users, that takes all it gets.'),
    z
      .strictObject({ kind: z.literal('bulk-upload'), users })
      .describe('A TCP connection for each user, from the users, that takes all it gets.'),
    z
      .strictObject({ kind: z.literal('video'), users, ladderKbps: LadderSchema })
      .describe('Segments of an adaptive video, whose rate is chosen by the buffer.'),
    z
      .strictObject({ kind: z.literal('voice'), users })
      .describe('50 packets a second of 160 bytes each way, with headers of RTP.'),
  ],
  {
    error: ({ input }) =>
      typeof input === 'object'
        ? `must be one of ${backgroundKinds.join(', ')}`
        : 'must be a mapping, such as { kind: bulk-download, users: 2 }',
  },
);

/** What crosses the emulated link beside the User Agents during a Round. */
export const BackgroundLoadSchema = z
  .array(LoadSchema)
  .max(4, 'must have at most 4 loads, one of each kind')
  .refine(
    (loads) => new Set(loads.map(({ kind }) => kind)).size === loads.length,
    'must have each kind once at the most: set its users',
  );

export type BackgroundLoad = z.infer<typeof BackgroundLoadSchema>;

/** `bulk-download 2, voice 1`. */
export function describeBackground(loads: BackgroundLoad): string {
  return loads.map(({ kind, users: count }) => `${kind} ${count}`).join(', ');
}
