import type { PartialCombination, Sweep, SweptValue } from './sweep.ts';

/** A value for each variable of a sweep. */
export type Combination = Record<string, SweptValue>;

/** How many combinations a sweep has, without making any. */
export function countCombinations(sweep: Sweep): number {
  return Object.values(sweep).reduce((product, values) => product * values.length, 1);
}

/** Every combination of a sweep that fits none of `except`; the last variable varies fastest. */
export function* listCombinations(sweep: Sweep, except: readonly PartialCombination[]): Generator<Combination> {
  const axes = Object.entries(sweep);
  const count = countCombinations(sweep);
  for (let index = 0; index < count; index++) {
    let rest = index;
    const reversed = axes.toReversed().map(([name, values]): [string, SweptValue] => {
      const value = values[rest % values.length]!;
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    const combination = Object.fromEntries(reversed.toReversed());
    if (!except.some((partial) => fits(combination, partial))) yield combination;
  }
}

/** Whether a combination has all of these values. */
export function fits(combination: Combination, partial: PartialCombination): boolean {
  return Object.entries(partial).every(([name, values]) => [values].flat().includes(combination[name]!));
}
