import { assertNever } from '../../core/assert-never.ts';
import { pointFigures } from '../../core/comparison/network/point-comparison.ts';
import { type Quantity, type Where, labelOf } from '../../core/study/quantity.ts';

/** A quantity in words: `Total page load latency, 8 connections less than 3 connections; images 30`. */
export function describeQuantity(quantity: Quantity): string {
  switch (quantity.kind) {
    case 'mean':
      return join(`${labelOf(quantity.metric, quantity.at)}, ${quantity.scenario}`, quantity.where);
    case 'largest':
      return join(`Largest ${lower(labelOf(quantity.metric, quantity.at))}, ${quantity.scenario}`, quantity.where);
    case 'rate':
      return join(`Received bytes over page load time, ${quantity.scenario}`, quantity.where);
    case 'difference':
      return join(
        `${labelOf(quantity.metric, quantity.at)}, ${quantity.scenario} minus ${quantity.against}`,
        quantity.where,
      );
    case 'reduction':
      return join(
        `Reduction of ${lower(labelOf(quantity.metric, quantity.at))}, ${quantity.scenario} vs ${quantity.against}`,
        quantity.where,
      );
    case 'reduction-difference': {
      const { metric, at, scenario, against, minus, where } = quantity;
      const text = `Reduction of ${lower(labelOf(metric, at))}, ${scenario} vs ${against}, minus that of ${minus.scenario} vs ${minus.against}`;
      return join(text, where);
    }
    case 'slope':
      return join(
        `${labelOf(quantity.metric, quantity.at)} for each of the ${quantity.on}, ${quantity.scenario}`,
        quantity.where,
      );
    case 'slope-ratio':
      return join(
        `${labelOf(quantity.metric, quantity.at)} for each of the ${quantity.on}, ${quantity.scenario} over ${quantity.against}`,
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
    case 'user-reduction':
      return join(
        `Reduction of ${lower(labelOf(quantity.metric, quantity.at))} for ${quantity.userAgent} vs the average, ${quantity.scenario}`,
        quantity.where,
      );
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

function lower(label: string): string {
  return `${label[0]!.toLowerCase()}${label.slice(1)}`;
}
