import { codelDefaults, resolveLinkProfile, unlimitedQueueBytes, type LinkProfileInput } from './link-profile-input.ts';
import { peakKbps, type LinkDirection, type LinkRate } from './link-profile.ts';

/** A link in a few words: `geo-256k: 256 kb/s, 300 ms each way`. */
export function describeLink(input: LinkProfileInput): string {
  return describeBoth(input, (side) => describeQueueBytes(input[side]?.queueBytes));
}

/** The same, always with its queues: `256 kb/s, 300 ms, queue 19.2 kB each way`. */
export function describeWholeLink(input: LinkProfileInput): string {
  const link = resolveLinkProfile(input);
  return describeBoth(input, (side) => {
    const { queueBytes } = link[side];
    if (queueBytes >= unlimitedQueueBytes) return '';
    const [amount, unit] = queueBytes >= 1e6 ? [queueBytes / 1e6, 'MB'] : [queueBytes / 1000, 'kB'];
    return `, queue ${Number(amount.toPrecision(3))} ${unit}`;
  });
}

function describeBoth(input: LinkProfileInput, queueOf: (side: 'forward' | 'return') => string): string {
  const { name, ...link } = resolveLinkProfile(input);
  const [forward, back] = (['forward', 'return'] as const).map((side) => describeDirection(link[side]) + queueOf(side));
  const ways = forward === back ? `${forward!} each way` : `forward ${forward!}; return ${back!}`;
  const isChanged = input.forward !== undefined || input.return !== undefined;
  return input.preset === undefined ? ways : `${name}${isChanged ? ' with changes' : ''}: ${ways}`;
}

/** A direction of a link in a few words: `256 kb/s, 300 ms`. */
export function describeDirection(direction: LinkDirection): string {
  const { rate, delayMs, jitterMs } = direction;
  const delay = jitterMs > 0 ? `${delayMs} ± ${jitterMs} ms` : delayMs > 0 && `${delayMs} ms`;
  return [describeRate(rate), delay, describeLoss(direction), describeQueue(direction)].filter(Boolean).join(', ');
}

/** `1 % lost in bursts of 4`; nothing where nothing is lost. */
export function describeLoss({ lossRatio, lossBurstPackets }: LinkDirection): string | null {
  if (lossRatio === 0) return null;
  const lost = `${Number((lossRatio * 100).toPrecision(3))} % lost`;
  return lossBurstPackets === null ? lost : `${lost} in bursts of ${Number(lossBurstPackets.toPrecision(3))}`;
}

/** `FQ-CoDel`, with target and interval where they are not the default: `CoDel (35 ms, 650 ms)`. Nothing for a queue that drops at its end alone. */
export function describeQueue({ queue }: LinkDirection): string | null {
  if (!queue) return null;
  const { kind, targetMs, intervalMs } = queue;
  const name = kind === 'codel' ? 'CoDel' : 'FQ-CoDel';
  const isDefault = targetMs === codelDefaults.targetMs && intervalMs === codelDefaults.intervalMs;
  return isDefault ? name : `${name} (${targetMs} ms, ${intervalMs} ms)`;
}

function describeRate(rate: LinkRate): string {
  const peak = peakKbps(rate);
  if (!Number.isFinite(peak)) return 'no limit';
  const words = peak >= 1000 ? `${Number((peak / 1000).toPrecision(4))} Mb/s` : `${peak} kb/s`;
  return rate.kind === 'constant' ? words : `up to ${words}`;
}

/** Only where it was chosen: else it follows from rate and delay. */
function describeQueueBytes(bytes: number | undefined): string {
  return bytes === undefined ? '' : `, queue ${bytes} bytes`;
}
