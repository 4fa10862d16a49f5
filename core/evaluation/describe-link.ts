import type { LinkDirection, LinkRate } from '#core/evaluation/link-profile.ts';
import { peakKbps } from '#core/evaluation/link-profile.ts';

/** A direction of a link in a few words: `256 kb/s, 300 ms`. */
export function describeDirection({ rate, delayMs, lossRatio }: LinkDirection): string {
  return [describeRate(rate), delayMs > 0 && `${delayMs} ms`, lossRatio > 0 && `${Number((lossRatio * 100).toPrecision(3))} % lost`].filter(Boolean).join(', ');
}

function describeRate(rate: LinkRate): string {
  const peak = peakKbps(rate);
  if (!Number.isFinite(peak)) return 'no limit';
  const words = peak >= 1000 ? `${Number((peak / 1000).toPrecision(4))} Mb/s` : `${peak} kb/s`;
  return rate.kind === 'constant' ? words : `up to ${words}`;
}
