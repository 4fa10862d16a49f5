import type { ArrangedFigure, FigureSeries } from './arranged-figure.ts';
import type { FigureDesign } from '#core/figures/measurements.ts';
import { styleScenarios, type ScenarioStyle } from '../components/scenario/scenario-style.ts';
import { colourUsers } from '../components/scenario/user-colours.ts';

/**
 * The colour and shape of every series, by its values as JSON: the same in all panels. Scenarios and User Agents have their own; other series take the colours
 * of Scenarios in order, and are grey where all their Visits are of baselines.
 */
export function styleSeries({ choice, panels }: ArrangedFigure, design: FigureDesign): Map<string, ScenarioStyle> {
  const all = new Map<string, FigureSeries>();
  for (const series of panels.flatMap((panel) => panel.series)) all.set(keyOf(series), series);
  const [only, ...others] = choice.series;
  if (only === 'userAgent' && others.length === 0) {
    const colours = colourUsers(design.userAgents.map(({ name }) => name));
    const shapes = styleScenarios(design.userAgents.map(({ name }) => ({ name, baseline: false })));
    return mapValues(all, ({ values }) => ({
      colour: colours.get(String(values[0]))!,
      shape: shapes.get(String(values[0]))!.shape,
      isBaseline: false,
    }));
  }
  if (only === 'scenario' && others.length === 0) {
    const styles = styleScenarios(design.scenarios.map(({ name, isBaseline }) => ({ name, baseline: isBaseline })));
    return mapValues(all, ({ values }) => styles.get(String(values[0]))!);
  }
  const isBaseline = new Map(design.scenarios.map((scenario) => [scenario.name, scenario.isBaseline]));
  const baselines = [...all].filter(([, { scenarios }]) => scenarios.every((name) => isBaseline.get(name)));
  // Several lines of baselines would look alike.
  const grey = baselines.length === 1 && all.size > 1 ? baselines[0]![0] : null;
  return styleScenarios([...all.keys()].map((name) => ({ name, baseline: name === grey })));
}

export function keyOf({ values }: Pick<FigureSeries, 'values'>): string {
  return JSON.stringify(values);
}

function mapValues<Value, Result>(map: Map<string, Value>, change: (value: Value) => Result): Map<string, Result> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
