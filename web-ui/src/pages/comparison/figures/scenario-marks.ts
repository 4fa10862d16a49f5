import type { ChartInks } from '../../../components/chart-inks.ts';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';

/** How marks of a Scenario are drawn: its colour and its shape, error bars in the same colour. */
export function scenarioMarks({ colour: onWhite, shape }: ScenarioStyle, inks: Pick<ChartInks, 'shade'>) {
  const colour = inks.shade(onWhite);
  return {
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    pointStyle: shape,
    pointRadius: 6,
    pointHoverRadius: 8,
    errorBarColor: colour,
    errorBarWhiskerColor: colour,
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 8,
  };
}

/** How far the marks of the Scenario at that place stand from the middle, in units of the distance between places. */
export function dodgeOf(order: number, count: number): number {
  return (order - (count - 1) / 2) * Math.min(0.14, 0.7 / count);
}
