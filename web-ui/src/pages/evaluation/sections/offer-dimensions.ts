import { givenDimensions } from '#core/evaluation/figures/figure-choice.ts';
import { readKeys, readList } from '../editor/path.ts';

/** The names that a figure of an Evaluation may have on its axis, as series and as panels: of its variables, then those of every Evaluation. */
export function offerDimensions(input: unknown): string[] {
  const pages = readKeys(input, ['urlLists']).flatMap((list) =>
    readList(input, ['urlLists', list]).flatMap((entry) => readKeys(entry, ['variables'])),
  );
  const scenarios = readList(input, ['scenarios']).flatMap((scenario) => [
    ...readKeys(scenario, ['variables']),
    ...readKeys(scenario, ['sweep']),
  ]);
  return [...new Set([...pages, ...scenarios, ...givenDimensions])];
}
