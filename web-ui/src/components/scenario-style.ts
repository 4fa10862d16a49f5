export type MarkerShape = 'circle' | 'rect' | 'triangle' | 'rectRot' | 'rectRounded' | 'star' | 'crossRot';

/** How a Scenario is drawn in every place: Okabe–Ito colours and, for those who cannot distinguish them, a shape. */
export interface ScenarioStyle {
  colour: string;
  shape: MarkerShape;
}

/** Okabe and Ito, Color Universal Design, 2008; yellow last because it is faint on white. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#f0e442'];
const shapes: MarkerShape[] = ['rect', 'triangle', 'rectRot', 'rectRounded', 'crossRot', 'star'];
const baselineColour = '#808080';
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
      if (baseline) return [name, { colour: baselineColour, shape: baselineShapes[index % baselineShapes.length]! }];
      return [name, { colour: colours[index % colours.length]!, shape: shapes[index % shapes.length]! }];
    }),
  );
}

/** How a chart names a Scenario: the baseline is marked. */
export function labelScenario(name: string, styles: Map<string, ScenarioStyle>): string {
  return styles.get(name)?.colour === baselineColour ? `${name} (baseline)` : name;
}
