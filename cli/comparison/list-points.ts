import { partByGroup, isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import {
  pointFigureIds,
  pointFigures,
  type PointComparison,
  type PointValue,
} from '#core/comparison/point-comparison.ts';
import { showPlainly } from '../show-plainly.ts';
import { absent } from './format-figures.ts';

/** What crossed a Capture Point per Round, Scenario by Scenario, as rows of a table; the first is its head. Each mean has the ratio to the baseline behind it. */
export function listPoint(
  { scenarios }: PointComparison,
  compared: Pick<Comparison, 'baseline' | 'groups'>,
): string[][] {
  const head = ['Scenario', ...pointFigureIds.map((id) => pointFigures[id].label), 'Rounds'];
  const inOrder = partByGroup(compared.groups, scenarios, ({ scenario }) => scenario).flatMap(({ items }) => items);
  const rows = inOrder.map(({ scenario, figures, roundsCounted }) => [
    showPlainly(isBaseline(compared, scenario) ? `${scenario} (baseline)` : scenario),
    ...pointFigureIds.map((id) => formatValue(figures[id])),
    String(roundsCounted),
  ]);
  return [head, ...rows];
}

function formatValue(value: PointValue): string {
  if (value.kind === 'absent') return absent;
  const { mean, halfWidth } = value.estimate;
  const digits = mean < 100 ? 1 : 0;
  const ratio = value.contrast?.ratio ? ` (×${value.contrast.ratio.value.toFixed(2)})` : '';
  return `${mean.toFixed(digits)}${halfWidth === null ? '' : ` ± ${halfWidth.toFixed(digits)}`}${ratio}`;
}
