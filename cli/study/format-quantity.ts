import { assertNever } from '../../core/assert-never.ts';
import { lowerFirst } from '../../core/comparison/findings/finding-words.ts';
import { formatReduction, isFactor } from '../../core/comparison/findings/reduction-words.ts';
import { pointFigures } from '../../core/comparison/network/compare-points.ts';
import type { Limits, QuantityEstimate } from './quantity-estimate.ts';
import { labelOf, type Quantity, unitOf, type Where } from '../../core/study/quantity.ts';

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
  const others = interval?.low === interval?.high ? '' : ', and others have no value';
  if (quantity.kind === 'largest') return `${format(value)} (of ${blocks} Visits${others})`;
  if (quantity.kind === 'least-fairness' || quantity.kind === 'least-to-most')
    return `${format(value)} (of ${blocks} Rounds${others})`;
  return interval === null
    ? `${format(value)} (no interval)`
    : `${format(value)} (${format(interval.low)} to ${format(interval.high)})`;
}

/** `above 2 %`. */
export function formatLimits(quantity: Quantity, limits: Limits | null): string {
  if (limits === null) return 'no limit, as there is no Run, or no one rate and delay of its link';
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

/** A quantity in words: `Total page load latency, 8 connections less than 3 connections; images 30`. */
export function describeQuantity(quantity: Quantity): string {
  switch (quantity.kind) {
    case 'mean':
      return join(`${labelOf(quantity.metric, quantity.at)}, ${quantity.scenario}`, quantity.where);
    case 'largest':
      return join(`Largest ${lowerFirst(labelOf(quantity.metric, quantity.at))}, ${quantity.scenario}`, quantity.where);
    case 'rate':
      return join(`Received bytes over page load time, ${quantity.scenario}`, quantity.where);
    case 'difference':
      return join(
        `${labelOf(quantity.metric, quantity.at)}, ${quantity.scenario} minus ${quantity.against}`,
        quantity.where,
      );
    case 'reduction':
      return join(
        `Reduction of ${lowerFirst(labelOf(quantity.metric, quantity.at))}, ${quantity.scenario} vs ${quantity.against}`,
        quantity.where,
      );
    case 'reduction-difference': {
      const { metric, at, scenario, against, minus, where } = quantity;
      const text = `Reduction of ${lowerFirst(labelOf(metric, at))}, ${scenario} vs ${against}, minus that of ${minus.scenario} vs ${minus.against}`;
      return join(text, where);
    }
    case 'slope':
      return join(
        `Slope of ${lowerFirst(labelOf(quantity.metric, quantity.at))} by ${quantity.on}, ${quantity.scenario}`,
        quantity.where,
      );
    case 'slope-ratio':
      return join(
        `Slope of ${lowerFirst(labelOf(quantity.metric, quantity.at))} by ${quantity.on}, ${quantity.scenario} over ${quantity.against}`,
        quantity.where,
      );
    case 'fairness':
      return `Jain’s fairness index, ${quantity.scenario}`;
    case 'least-fairness':
      return `Least fairness index of a Round, ${quantity.scenario}`;
    case 'least-to-most':
      return `Least bytes over most bytes of a Round, ${quantity.scenario}`;
    case 'over-ideal':
      return join(`Total page load latency over the ideal, ${quantity.scenario}`, quantity.where);
    case 'first-to-start':
      return `Reduction for the first to start vs the average, ${quantity.scenario}`;
    case 'user-reduction': {
      const { metric, at, userAgent, among, scenario, where } = quantity;
      const average = among === undefined ? 'the average' : `the average of ${among.join(', ')}`;
      return join(`Reduction of ${lowerFirst(labelOf(metric, at))} for ${userAgent} vs ${average}, ${scenario}`, where);
    }
    case 'user-share':
      return `Share of the bytes for ${quantity.userAgent}, ${quantity.scenario}`;
    case 'capture-point': {
      const { point, figure, scenario, against } = quantity;
      const compared = against === undefined ? scenario : `${scenario} over ${against}`;
      return `${pointFigures[figure].label} at ${point} per Round, ${compared}`;
    }
    case 'network-figure': {
      const { figure, scenario, against } = quantity;
      return `${figure[0]!.toUpperCase()}${figure.slice(1)}, ${scenario}${against === undefined ? '' : ` minus ${against}`}`;
    }
    default:
      return assertNever(quantity);
  }
}

function join(text: string, where: Where): string {
  return [text, ...Object.entries(where).map(([name, wanted]) => `${name} ${describeWanted(wanted)}`)].join('; ');
}

function describeWanted(wanted: Where[string]): string {
  if (typeof wanted === 'number') return String(wanted);
  const { from, to } = wanted;
  if (from === undefined) return `up to ${to}`;
  return to === undefined ? `from ${from}` : `${from} to ${to}`;
}
