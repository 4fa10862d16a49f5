import type { DimensionValue, FigureChoice } from '#core/evaluation/figures/figure-choice.ts';

import type { FigureDesign } from '#core/figures/measurements.ts';
import type { CompleteChoice } from '../../../figures/complete-choice.ts';
import { labelDimension, labelValue } from '../../../figures/name-figure.ts';

/** Of a dimension with more values, single ones are not offered: the list would be too long. */
const mostOffered = 60;

/** As it is kept in the address. The title was of what was drawn before; an axis that is null is open again. */
export function openChoice({ kind, y, statistic, x, series, panels, only, logX, logY }: CompleteChoice): FigureChoice {
  return {
    ...{ kind, y, statistic, series, panels, logX, logY },
    ...(x !== null && { x }),
    ...(Object.keys(only).length > 0 && { only }),
  };
}

/** The values that are drawn alone, of their keys. */
export function readKeys(keys: readonly string[]): CompleteChoice['only'] {
  const pairs = keys.map((key) => JSON.parse(key) as [string, string | number]);
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, own]) => [name, own.map(([, value]) => value)]),
  );
}

/** A key for each value that is drawn alone. */
export function keysOf(only: CompleteChoice['only']): string[] {
  return Object.entries(only).flatMap(([name, values]) => values.map((value) => keyOf(name, value)));
}

/** The values that one can draw alone, by dimension. */
export function offerValues(
  dimensions: readonly (readonly [name: string, values: readonly DimensionValue[]])[],
  design: FigureDesign,
): { group: string; items: { value: string; label: string }[] }[] {
  return dimensions
    .filter(([, values]) => values.length <= mostOffered)
    .map(([name, values]) => ({
      group: labelDimension(name),
      items: values.map((value) => ({ value: keyOf(name, value), label: labelValue(name, value, design) })),
    }));
}

function keyOf(name: string, value: DimensionValue): string {
  return JSON.stringify([name, value]);
}
