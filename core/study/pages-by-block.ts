import type { MeasuredVisit } from './measurements.ts';
import type { Where } from './quantity.ts';
import type { StudyMetricId } from './study-metric.ts';

/** The values of a page of one User Agent: the mean of its Visits in each Block, by index of the Block; NaN where there is none. */
export interface StudyPage {
  variables: Readonly<Record<string, number>>;
  byBlock: Float64Array;
}

export interface PageSelection {
  metric: StudyMetricId;
  scenario: string;
  where: Where;
}

/** The Visits of a Scenario that have a value. */
export function chooseVisits(
  visits: readonly MeasuredVisit[],
  { metric, scenario, where }: PageSelection,
): MeasuredVisit[] {
  return visits.filter(
    (visit) => visit.scenario === scenario && visit.values[metric] !== undefined && isChosen(visit, where),
  );
}

/** The pages of a Scenario that have a value, by User Agent and page. */
export function pagesByBlock(visits: readonly MeasuredVisit[], selection: PageSelection): Map<string, StudyPage> {
  const blocks = [...new Set(visits.map(({ block }) => block))].sort((a, b) => a - b);
  const chosen = chooseVisits(visits, selection);
  const pages = Map.groupBy(chosen, ({ userAgent, page }) => JSON.stringify([userAgent, page]));
  return new Map(
    [...pages].map(([key, own]) => {
      const inBlock = Map.groupBy(own, ({ block }) => block);
      const byBlock = Float64Array.from(blocks, (block) =>
        meanOf((inBlock.get(block) ?? []).map(({ values }) => values[selection.metric]!)),
      );
      return [key, { variables: own[0]!.variables, byBlock }];
    }),
  );
}

function isChosen({ variables }: MeasuredVisit, where: Where): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    const value = variables[name];
    if (value === undefined) return false;
    const { from = -Infinity, to = Infinity } = typeof wanted === 'number' ? { from: wanted, to: wanted } : wanted;
    return value >= from && value <= to;
  });
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
