import { assertNever } from '#core/assert-never.ts';
import { describeLoss, describeQueue } from '#core/evaluation/network/describe-link.ts';
import { peakKbps, type LinkDirection, type LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { checkMs } from '#testbed/check/plan-check.ts';
import { formatRoughDuration } from '../plain-text.ts';

/** The link in a line for each direction. */
export function describeProfile(profile: LinkProfile): string {
  return [
    `  forward (ground to remote): ${describeDirection(profile.forward)}`,
    `  return  (remote to ground): ${describeDirection(profile.return)}`,
  ].join('\n');
}

/** What a check begins with: the link, and how long it takes to measure it. */
export function describeCheck(profile: LinkProfile, backend: string): string {
  const takes = formatRoughDuration(checkMs(profile));
  return `Measuring the link ${profile.name} (${backend}), which takes about ${takes}:\n${describeProfile(profile)}`;
}

function describeDirection(direction: LinkDirection): string {
  const { delayMs, jitterMs, queueBytes } = direction;
  const parts = [describeRate(direction), `${delayMs}${jitterMs > 0 ? ` ± ${jitterMs}` : ''} ms`];
  const loss = describeLoss(direction);
  if (loss !== null) parts.push(loss);
  const queue = describeQueue(direction);
  if (queue !== null) parts.push(queue);
  if (direction.rate.kind !== 'unlimited') parts.push(`queue ${queueBytes} bytes`);
  return parts.join(', ');
}

function describeRate({ rate }: LinkDirection): string {
  switch (rate.kind) {
    case 'unlimited':
      return 'no limit';
    case 'constant':
      return `${rate.kbps} kb/s`;
    case 'trace':
      return `a trace of up to ${peakKbps(rate)} kb/s`;
    case 'on-demand':
      return `up to ${peakKbps(rate)} kb/s on demand`;
    default:
      return assertNever(rate);
  }
}
