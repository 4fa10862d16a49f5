import { partByGroup, isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { CountedFigure, CountedUnit, CountedValue } from '#core/comparison/counted/counted-value.ts';
import { showPlainly } from '../show-plainly.ts';
import { absent } from './format-figures.ts';
import { formatMean } from './format-mean.ts';

interface CountedScenario<Figure extends string> {
  scenario: string;
  roundsCounted: number;
  figures: Record<Figure, CountedValue>;
}

/** What was counted per Round, Scenario by Scenario, as rows of a table; the first is its head. Each mean has the ratio to the baseline behind it. */
export function listCounted<Figure extends string>(
  scenarios: readonly CountedScenario<Figure>[],
  {
    catalogue,
    compared,
  }: { catalogue: Readonly<Record<Figure, CountedFigure>>; compared: Pick<Comparison, 'baseline' | 'groups'> },
): string[][] {
  const figures = Object.entries(catalogue) as [Figure, CountedFigure][];
  const head = ['Scenario', ...figures.map(([, { label, unit }]) => label + suffixes[unit]), 'Rounds'];
  const inOrder = partByGroup(compared.groups, scenarios, ({ scenario }) => scenario).flatMap(({ items }) => items);
  const rows = inOrder.map((each) => [
    showPlainly(isBaseline(compared, each.scenario) ? `${each.scenario} (baseline)` : each.scenario),
    ...figures.map(([id, { unit }]) => formatValue(each.figures[id], unit)),
    String(each.roundsCounted),
  ]);
  return [head, ...rows];
}

/** Behind the label of a figure; bytes and counts need none. */
const suffixes: Record<CountedUnit, string> = { count: '', bytes: '', share: ', %', ms: ', ms', score: '' };

function formatValue(value: CountedValue, unit: CountedUnit): string {
  if (value.kind === 'absent') return absent;
  const factor = unit === 'share' ? 100 : 1;
  const { mean, halfWidth } = value.estimate;
  const digits = mean * factor < 100 ? 1 : 0;
  const ratio = value.contrast?.ratio ? ` (×${value.contrast.ratio.value.toFixed(2)})` : '';
  return `${formatMean(mean * factor, halfWidth && halfWidth * factor, digits)}${ratio}`;
}
