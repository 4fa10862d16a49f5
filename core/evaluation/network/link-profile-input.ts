import { z } from 'zod';
import { RateOnDemandSchema } from './link-profile-demand.ts';
import { linkPresetNames, linkPresets } from './link-profile-presets.ts';
import { RateTraceSchema } from './link-profile-trace.ts';
import type { WordsOf } from '../setting-words.ts';
import {
  DelayMsSchema,
  largestFrameBytes,
  LossBurstPacketsSchema,
  LossRatioSchema,
  mostQueueBytes,
  peakKbps,
  QueueBytesSchema,
  QueueIntervalMsSchema,
  queueKinds,
  QueueTargetMsSchema,
  RateKbpsSchema,
  type LinkDirection,
  type LinkProfile,
  type LinkRate,
  independentBurstPackets,
} from './link-profile.ts';

export const DirectionInputSchema = z.strictObject({
  rateKbps: RateKbpsSchema.or(z.literal('unlimited', { error: 'must be "unlimited"' }))
    .optional()
    .describe('The rate in kb/s, or `unlimited`.'),
  rateTrace: RateTraceSchema.optional().describe('A rate that follows a trace, instead of `rateKbps`.'),
  rateOnDemand: RateOnDemandSchema.optional().describe(
    'Capacity that follows demand (ETSI EN 301 790, 6.6.1), instead of `rateKbps`.',
  ),
  delayMs: DelayMsSchema.optional().describe('The one-way delay.'),
  jitterMs: DelayMsSchema.optional().describe(
    'The delay of each packet is uniform in `delayMs` ± this. No packet overtakes another.',
  ),
  lossRatio: LossRatioSchema.optional().describe('The probability that a packet is lost, from 0 to 1.'),
  lossBurstPackets: LossBurstPacketsSchema.optional().describe(
    'Losses in bursts (Gilbert–Elliott): the mean number of packets lost in a row. Without it, each loss is independent.',
  ),
  queueBytes: QueueBytesSchema.optional().describe(
    'The longest queue. Without it, one bandwidth-delay product, and at least 10 full packets.',
  ),
  queue: z
    .enum(queueKinds, { error: `must be one of ${queueKinds.join(', ')}` })
    .optional()
    .describe('The kind of queue. `codel` is RFC 8289, `fq-codel` RFC 8290. Without it, `drop-tail`.'),
  queueTargetMs: QueueTargetMsSchema.optional().describe('The delay that CoDel aims at. Without it, 5.'),
  queueIntervalMs: QueueIntervalMsSchema.optional().describe(
    'How long CoDel lets the delay exceed its target: about the longest round trip. Without it, 100.',
  ),
});

export const directionWords: WordsOf<Omit<DirectionInput, 'rateTrace' | 'rateOnDemand'>> = {
  rateKbps: { label: 'Rate', unit: 'kb/s' },
  delayMs: { label: 'Delay, one way', unit: 'ms' },
  lossRatio: { label: 'Loss', unit: '%', scale: 100, byDefault: '0' },
  lossBurstPackets: { label: 'Loss burst', unit: 'packets', byDefault: 'none' },
  jitterMs: { label: 'Jitter', unit: '± ms', byDefault: '0' },
  queueBytes: { label: 'Queue', unit: 'bytes', byDefault: '1 BDP' },
  queue: { label: 'Queue type', byDefault: 'drop-tail', choices: { codel: 'CoDel', 'fq-codel': 'FQ-CoDel' } },
  queueTargetMs: { label: 'CoDel target', unit: 'ms', byDefault: '5' },
  queueIntervalMs: { label: 'CoDel interval', unit: 'ms', byDefault: '100' },
};

/**
 * A link as people write it: the name of a preset, or a mapping with `preset` and what differs from it, or with both
 * directions whole. Each mistake is reported by field; `resolveLinkProfile` fills in the rest.
 */
export const LinkProfileInputSchema = z.preprocess(
  (input) => (typeof input === 'string' ? { preset: input } : input),
  z
    .strictObject({
      preset: z
        .enum(linkPresetNames, {
          error: (issue) => `must be one of ${linkPresetNames.join(', ')}, not ${JSON.stringify(issue.input)}`,
        })
        .optional()
        .describe('A link with a name. The other settings change it.'),
      forward: DirectionInputSchema.optional().describe('From the origins to the users.'),
      return: DirectionInputSchema.optional().describe('From the users to the origins.'),
    })
    .superRefine((input, context) => {
      for (const side of ['forward', 'return'] as const) {
        const refuse = (field: keyof DirectionInput, message: string) =>
          context.addIssue({ code: 'custom', path: [side, field], message });
        refuseBadDirection(input, { side, refuse });
      }
    }),
);

type DirectionInput = z.infer<typeof DirectionInputSchema>;
export type LinkProfileInput = z.infer<typeof LinkProfileInputSchema>;

const rateFields = ['rateKbps', 'rateTrace', 'rateOnDemand'] as const;

/** The link with nothing left open. The queue is one bandwidth-delay product (peak rate × both delays), at least 10 full packets. */
export function resolveLinkProfile(input: LinkProfileInput, name: string = input.preset ?? 'custom'): LinkProfile {
  const roundTripMs = delayOf(input, 'forward') + delayOf(input, 'return');
  const resolve = (side: 'forward' | 'return'): LinkDirection => {
    const written = input[side] ?? {};
    const rate = resolveRate(input, { side, roundTripMs });
    const bdpBytes = Math.ceil((peakKbps(rate) * roundTripMs) / 8);
    return {
      queueBytes:
        written.queueBytes ??
        (Number.isFinite(bdpBytes)
          ? Math.min(mostQueueBytes, Math.max(10 * largestFrameBytes, bdpBytes))
          : unlimitedQueueBytes),
      ...resolveQueue(written),
      rate,
      lossRatio: written.lossRatio ?? 0,
      lossBurstPackets: written.lossBurstPackets ?? null,
      delayMs: delayOf(input, side),
      jitterMs: written.jitterMs ?? 0,
    };
  };
  return { name, forward: resolve('forward'), return: resolve('return') };
}

/** RFC 8289, 4.4. */
export const codelDefaults = { targetMs: 5, intervalMs: 100 };

function resolveQueue({ queue, queueTargetMs, queueIntervalMs }: DirectionInput): Pick<LinkDirection, 'queue'> {
  if (queue === undefined || queue === 'drop-tail') return {};
  return {
    queue: {
      kind: queue,
      targetMs: queueTargetMs ?? codelDefaults.targetMs,
      intervalMs: queueIntervalMs ?? codelDefaults.intervalMs,
    },
  };
}

/** A link without a rate never makes anything wait; its queue only has to take what comes at one instant. */
export const unlimitedQueueBytes = 64 * 1024 * 1024;

function resolveRate(
  input: LinkProfileInput,
  { side, roundTripMs }: { side: 'forward' | 'return'; roundTripMs: number },
): LinkRate {
  const written = input[side] ?? {};
  const hasOwnRate = rateFields.some((field) => written[field] !== undefined);
  const { rateTrace, rateOnDemand, rateKbps }: Pick<DirectionInput, (typeof rateFields)[number]> =
    hasOwnRate || !input.preset ? written : linkPresets[input.preset][side];
  if (rateTrace) return { kind: 'trace', trace: rateTrace };
  if (rateOnDemand)
    return { kind: 'on-demand', demand: rateOnDemand, grantDelayMs: rateOnDemand.grantDelayMs ?? roundTripMs };
  return rateKbps === 'unlimited' || rateKbps === undefined
    ? { kind: 'unlimited' }
    : { kind: 'constant', kbps: rateKbps };
}

function delayOf(input: LinkProfileInput, side: 'forward' | 'return'): number {
  return input[side]?.delayMs ?? (input.preset ? linkPresets[input.preset][side].delayMs : 0);
}

interface Checked {
  preset?: keyof typeof linkPresets | undefined;
  forward?: DirectionInput | undefined;
  return?: DirectionInput | undefined;
}

function refuseBadDirection(
  input: Checked,
  { side, refuse }: { side: 'forward' | 'return'; refuse: (field: keyof DirectionInput, message: string) => void },
): void {
  const written = input[side] ?? {};
  const rates = rateFields.filter((field) => written[field] !== undefined);
  if (rates.length > 1) refuse(rates[1]!, `cannot be used with "${rates[0]!}": a direction has one rate`);
  if (!input.preset && rates.length === 0)
    refuse('rateKbps', 'must be in kilobits per second or "unlimited", unless a preset is named');
  if (!input.preset && written.delayMs === undefined)
    refuse('delayMs', 'must be the one-way delay in milliseconds, unless a preset is named');
  refuseBadQueue(written, refuse);
  refuseBadBursts(written, (message) => refuse('lossBurstPackets', message));
  const delayMs = delayOf(input, side);
  if ((written.jitterMs ?? 0) > delayMs)
    refuse('jitterMs', `must be at most delayMs (${delayMs}): no packet arrives before it was sent`);
}

function refuseBadQueue(
  written: DirectionInput,
  refuse: (field: 'queueTargetMs' | 'queueIntervalMs', message: string) => void,
): void {
  const { queue } = resolveQueue(written);
  for (const field of ['queueTargetMs', 'queueIntervalMs'] as const)
    if (!queue && written[field] !== undefined) return refuse(field, 'needs "queue: codel" or "queue: fq-codel"');
  if (queue && queue.targetMs >= queue.intervalMs)
    refuse(
      written.queueTargetMs === undefined ? 'queueIntervalMs' : 'queueTargetMs',
      `the target (${queue.targetMs} ms) must be below the interval (${queue.intervalMs} ms)`,
    );
}

function refuseBadBursts({ lossRatio, lossBurstPackets }: DirectionInput, refuse: (message: string) => void): void {
  if (lossBurstPackets === undefined) return;
  if (lossRatio === undefined) return refuse('needs lossRatio, the probability that a packet is lost');
  if (lossRatio === 1) return refuse('needs a lossRatio below 1: where every packet is lost, there are no bursts');
  const least = independentBurstPackets(lossRatio);
  if (lossBurstPackets < least)
    refuse(
      `must be at least ${roundUp(least)}, the mean of independent losses at this lossRatio: leave it out for those`,
    );
}

function roundUp(packets: number): number {
  return Math.ceil(packets * 1000) / 1000;
}
