import type { MeasureId } from '../../../core/metrics/measures.ts';
import type { FigureDesign } from '../../../core/figures/figure-design.ts';
import type { Measurements } from '../../../core/figures/measurements.ts';

/** The values of one (Scenario × User Agent × page). */
export interface FigureCell {
  scenario: FigureDesign['scenarios'][number];
  userAgent: FigureDesign['userAgents'][number];
  page: FigureDesign['pages'][number];
  values: number[];
  /** The mean over the Visits of each Round, by the index of its Block; NaN where there is none. */
  byBlock: Float64Array;
}

/** Every cell that has a value of the measure, in the order of the design. */
export function gatherMeasurements({ design, visits, values }: Measurements, measure: MeasureId): FigureCell[] {
  const column = values[measure] ?? [];
  const blocks = [...new Set(visits.block)].sort((a, b) => a - b);
  const indexOf = new Map(blocks.map((block, index) => [block, index]));
  const cells = new Map<number, { cell: FigureCell; counts: Uint32Array }>();
  const userCount = design.userAgents.length;
  const pageCount = design.pages.length;
  column.forEach((value, visit) => {
    if (value === null) return;
    const [scenario, userAgent, page] = [visits.scenario[visit]!, visits.userAgent[visit]!, visits.page[visit]!];
    const key = (scenario * userCount + userAgent) * pageCount + page;
    let open = cells.get(key);
    if (!open) {
      const cell = {
        scenario: design.scenarios[scenario]!,
        userAgent: design.userAgents[userAgent]!,
        page: design.pages[page]!,
        values: [],
        byBlock: new Float64Array(blocks.length).fill(NaN),
      };
      cells.set(key, (open = { cell, counts: new Uint32Array(blocks.length) }));
    }
    const { values: known, byBlock } = open.cell;
    const block = indexOf.get(visits.block[visit]!)!;
    const before = open.counts[block]!++;
    const mean = byBlock[block]!;
    byBlock[block] = before === 0 ? value : mean + (value - mean) / (before + 1);
    known.push(value);
  });
  return [...cells].sort(([a], [b]) => a - b).map(([, { cell }]) => cell);
}
