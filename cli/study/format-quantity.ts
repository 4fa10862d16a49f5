import { assertNever } from '../../core/assert-never.ts';
import { formatReduction, isFactor } from '../../core/comparison/findings/reduction-words.ts';
import type { Limits, QuantityEstimate } from './quantity-estimate.ts';
import { type Quantity, unitOf } from '../../core/study/quantity.ts';

/**
 * What a measurement says of a claim. `other-conditions`: the claim is about something that no part has. `not-comparable`: one of two Scenarios lacks objects that the other has.
 * `implausible`: its Run breaks a closed form. `not-measured`: there is no value at all.
 */
export const studyVerdicts = [
  'confirmed',
  'contradicted',
  'not-confirmed',
  'other-conditions',
  'not-comparable',
  'implausible',
  'not-measured',
] as const;
export type StudyVerdict = (typeof studyVerdicts)[number];

export const verdictWords: Record<StudyVerdict, string> = {
  confirmed: 'confirmed',
  contradicted: 'contradicted',
  'not-confirmed': 'not confirmed',
  'other-conditions': 'other conditions',
  'not-comparable': 'not comparable',
  implausible: 'implausible',
  'not-measured': 'not measured',
};

/** Writes values of a quantity in its unit. */
export function formatterOf(quantity: Quantity): (value: number) => string {
  switch (quantity.kind) {
    case 'reduction':
    case 'reduction-difference':
    case 'first-to-start':
    case 'user-reduction':
    case 'user-share':
      return (value) => `${round(value * 100)} %`;
    case 'mean':
    case 'largest':
    case 'difference':
    case 'slope': {
      const unit = unitOf(quantity.metric);
      if (unit === 'ms') return (value) => `${round(value / 1000)} s`;
      return (value) => `${round(value)}${unit === 'bytes' ? ' B' : ''}`;
    }
    case 'capture-point':
      return (value) => `${round(value)}${quantity.figure === 'bytes' && quantity.against === undefined ? ' B' : ''}`;
    case 'network-figure':
      return (value) => `${round(value)} ${quantity.unit}`;
    case 'rate':
      return (value) => `${round(value)} kb/s`;
    case 'slope-ratio':
    case 'fairness':
    case 'least-fairness':
    case 'least-to-most':
    case 'over-ideal':
      return round;
    default:
      return assertNever(quantity);
  }
}

/** How much less time. */
const reductionKinds: ReadonlySet<Quantity['kind']> = new Set(['reduction', 'first-to-start', 'user-reduction']);

/** `4.2 % (1.1 % to 7.2 %)`; of a reduction that is a factor `14 × as much (12 to 16 ×)`. */
export function formatEstimate(quantity: Quantity, estimate: QuantityEstimate | null, verdict?: StudyVerdict): string {
  if (verdict === 'not-comparable') return 'no value, as one of the two loses objects that the other has';
  if (estimate === null) return 'no value';
  const format = formatterOf(quantity);
  const { value, interval, blocks } = estimate;
  if (reductionKinds.has(quantity.kind) && isFactor(value))
    return formatReduction({ ratio: value, low: interval?.low ?? null, high: interval?.high ?? null });
  if (quantity.kind === 'largest') return `${format(value)} (of ${blocks} Visits)`;
  if (quantity.kind === 'least-fairness' || quantity.kind === 'least-to-most')
    return `${format(value)} (of ${blocks} Rounds)`;
  return interval === null
    ? `${format(value)} (no interval)`
    : `${format(value)} (${format(interval.low)} to ${format(interval.high)})`;
}

/** `above 2 %`. */
export function formatLimits(quantity: Quantity, limits: Limits | null): string {
  if (limits === null) return 'no limit, as the rate or delay of the link is not known';
  const { above, below } = limits;
  const format = formatterOf(quantity);
  if (above !== undefined && below !== undefined) return `${format(above)} to ${format(below)}`;
  return above === undefined ? `below ${format(below!)}` : `above ${format(above)}`;
}

/** Three significant digits; large numbers whole. */
function round(value: number): string {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** What says most of a claim that has several parts: it holds only if each does, one that does not is enough against it, and a Run that breaks physics says nothing. */
const gravestFirst: readonly StudyVerdict[] = [
  'implausible',
  'contradicted',
  'not-comparable',
  'not-measured',
  'other-conditions',
  'not-confirmed',
];

export function joinVerdicts(verdicts: readonly StudyVerdict[]): StudyVerdict {
  if (verdicts.length === 0) return 'not-measured';
  return gravestFirst.find((verdict) => verdicts.includes(verdict)) ?? 'confirmed';
}
