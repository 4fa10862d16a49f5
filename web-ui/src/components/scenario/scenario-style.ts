import { baselineColour, scenarioColours } from './series-colours.ts';

export type MarkerShape = 'circle' | 'rect' | 'triangle' | 'rectRot' | 'rectRounded' | 'star' | 'crossRot';

/** How a Scenario is drawn in every place: a colour and, for those who cannot distinguish it, a shape. */
export interface ScenarioStyle {
  /** On white. */
  colour: string;
  shape: MarkerShape;
  isBaseline: boolean;
}

const shapes: MarkerShape[] = ['rect', 'triangle', 'rectRot', 'rectRounded', 'crossRot', 'star'];
const baselineShapes: MarkerShape[] = ['circle', ...shapes];

/**
 * Styles of an Evaluation's Scenarios, by name: the baseline grey, the others in the order of the Evaluation. Seven colours
 * and six shapes give 42 different pairs before the first comes again. Baselines of several groups differ in their shape.
 */
export function styleScenarios(scenarios: { name: string; baseline: boolean }[]): Map<string, ScenarioStyle> {
  const others = scenarios.filter((scenario) => !scenario.baseline);
  const baselines = scenarios.filter((scenario) => scenario.baseline);
  return new Map(
    scenarios.map(({ name, baseline }) => {
      const index = (baseline ? baselines : others).findIndex((other) => other.name === name);
      const [colours, marks] = baseline ? [[baselineColour], baselineShapes] : [scenarioColours, shapes];
      const { light: colour } = colours[index % colours.length]!;
      return [name, { colour, shape: marks[index % marks.length]!, isBaseline: baseline }];
    }),
  );
}

/** How a chart names a Scenario: the baseline is marked. */
export function labelScenario(name: string, styles: Map<string, ScenarioStyle>): string {
  return styles.get(name)?.isBaseline ? `${name} (baseline)` : name;
}
