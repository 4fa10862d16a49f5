import { z } from 'zod';
import { siteProtocols } from '../../site/site.ts';
import type { WordsOf } from '../setting-words.ts';

const ShareSchema = z
  .union([z.enum(['recorded', 'none']), z.number().min(0, 'must be 0 or more').max(100, 'must be at most 100')], {
    error: 'must be "recorded", "none" or a factor up to 100, such as 2',
  })
  .default('recorded');

/** How the testbed replays recorded Sites. */
export const ReplaySchema = z.strictObject({
  thinkTime: ShareSchema.describe(
    'How long servers work on a request: as recorded, not at all, or the recorded time multiplied by a factor.',
  ),
  distance: ShareSchema.describe(
    'How far hosts are from the gateway, likewise: half of the recorded TCP connect time.',
  ),
  protocol: z
    .enum(['recorded', ...siteProtocols], {
      error: `must be "recorded", ${siteProtocols.map((each) => `"${each}"`).join(' or ')}`,
    })
    .default('recorded')
    .describe('The newest version of HTTP that hosts speak over TLS. `h3` needs the program `caddy`.'),
});
export type Replay = z.infer<typeof ReplaySchema>;

const showShare = (share: string | number) => (typeof share === 'number' ? `${share} × recorded` : share);
export const replayWords: WordsOf<Replay> = {
  thinkTime: { label: 'Replayed think time', show: showShare },
  distance: { label: 'Replayed distance', show: showShare },
  protocol: { label: 'Replayed protocol' },
};

export function factorOf(share: Replay['thinkTime']): number {
  return share === 'recorded' ? 1 : share === 'none' ? 0 : share;
}
