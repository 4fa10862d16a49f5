import { isNumeric, listDimensions, type DimensionValue } from '#core/evaluation/figures/figure-choice.ts';
import type { FigureDesign } from '#core/record/measurements.ts';
import { readTrait, type MarkedScenario } from '#core/evaluation/scenarios/scenario-trait.ts';
import {
  nameInGroups,
  type Preference,
  preferLook,
  resolveStyles,
  type ScenarioStyle,
  styleInOrder,
} from '../components/scenario/scenario-style.ts';
import { colourUsers } from '../components/scenario/series-colours.ts';
import type { ArrangedFigure, FigurePanel, FigureSeries } from './arranged-figure.ts';
import { labelPlace } from './name-figure.ts';

/** More lines of baselines than this would look alike. */
const mostBaselines = 7;

/**
 * The colour and shape of every series, by its values as JSON: the same in all panels. Scenarios and User Agents have their own. Other series have the colour of
 * their first value, by what it is called, and are grey where all their Visits are of baselines.
 */
export function styleSeries({ choice, panels }: ArrangedFigure, design: FigureDesign): Map<string, ScenarioStyle> {
  const all = new Map<string, FigureSeries>();
  for (const series of panels.flatMap((panel) => panel.series)) all.set(keyOf(series), series);
  const [first, ...others] = choice.series;
  if (first === 'scenario' && others.length === 0) {
    const styles = styleDesign(design, { areGroupsApart: panels.every(isOfOneGroup(design)) });
    return mapValues(all, ({ values }) => styles.get(String(values[0]))!);
  }
  const baselines = new Set(design.scenarios.filter(({ isBaseline }) => isBaseline).map(({ name }) => name));
  const grey = [...all].filter(([, { scenarios }]) => scenarios.every((name) => baselines.has(name)));
  const isGrey = new Set(grey.length < all.size && grey.length <= mostBaselines ? grey.map(([key]) => key) : []);
  const series = [...all].map(
    (
      [
        key,
        {
          values: [value],
        },
      ],
      index,
    ) => ({
      isBaseline: first !== 'userAgent' && isGrey.has(key),
      ...lookOf(first, value, design),
      rank: index,
    }),
  );
  const keys = [...all.keys()];
  const areTogether = (one: number, other: number) => {
    const both = [keys[one], keys[other]];
    return panels.some((panel) => both.every((key) => panel.series.some((each) => keyOf(each) === key)));
  };
  const styles = resolveStyles(series, areTogether);
  const colours = first === 'userAgent' ? colourUsers(design.userAgents.map(({ name }) => name)) : null;
  return new Map(
    [...all].map(([key, { values }], index) => {
      const colour = colours?.get(String(values[0]));
      return [key, colour === undefined ? styles[index]! : { ...styles[index]!, colour }];
    }),
  );
}

/** The styles of all Scenarios of a Run, by name. */
export function styleDesign(design: FigureDesign, options?: { areGroupsApart: boolean }): Map<string, ScenarioStyle> {
  const scenarios = design.scenarios.map(({ isBaseline: baseline, ...scenario }): MarkedScenario => ({
    ...scenario,
    baseline,
  }));
  const styles = styleInOrder(scenarios, options);
  return new Map(scenarios.map(({ name }, index) => [name, styles[index]!]));
}

/** What a series is called. Where panels are groups, a Scenario is called as in its group. */
export function labelSeries(
  { choice: { series, panels } }: Pick<ArrangedFigure, 'choice'>,
  { values }: Pick<FigureSeries, 'values'>,
  design: FigureDesign,
): string {
  if (series.length !== 1 || series[0] !== 'scenario' || !panels.includes('group'))
    return labelPlace(series, values, design);
  return nameInGroups(design.scenarios)[design.scenarios.findIndex(({ name }) => name === values[0])]!;
}

function isOfOneGroup({ scenarios }: FigureDesign): (panel: FigurePanel) => boolean {
  const groups = new Map(scenarios.map(({ name, group }) => [name, group]));
  return ({ series }) => new Set(series.flatMap((each) => each.scenarios.map((name) => groups.get(name)))).size <= 1;
}

/** The key of its colour, and which it prefers: numbers and given dimensions by their order, texts by what they say. */
function lookOf(
  dimension: string | undefined,
  value: DimensionValue | undefined,
  design: FigureDesign,
): { key: string; preferences: Preference[] } {
  const key = String(value);
  if (dimension === undefined || value === undefined) return { key, preferences: [{ colour: 0, shape: 0 }] };
  const values = listDimensions(design).get(dimension) ?? [];
  const isOrdered = isNumeric(values) || ['page', 'userAgent', 'userClass'].includes(dimension);
  if (!isOrdered) return { key, preferences: preferLook(key, readTrait(key)) };
  const place = values.findIndex((each) => each === value);
  return { key, preferences: [{ colour: place, shape: place }] };
}

export function keyOf({ values }: Pick<FigureSeries, 'values'>): string {
  return JSON.stringify(values);
}

function mapValues<Value, Result>(map: Map<string, Value>, change: (value: Value) => Result): Map<string, Result> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
