import { isMeasure } from '../../metrics/measures.ts';
import { givenDimensions, isNumeric, type DimensionValue, type FigureChoice } from './figure-choice.ts';

type Refuse = (path: (string | number)[], message: string) => void;

/** What of declared figures names something that the Evaluation does not have, or does not fit together. `dimensions`: values by name. */
export function checkFigures(
  figures: readonly FigureChoice[],
  dimensions: ReadonlyMap<string, DimensionValue[]>,
  refuse: Refuse,
): void {
  figures.forEach((figure, index) => {
    const refuseField = (field: string | (string | number)[], message: string) =>
      refuse(['figures', index, ...[field].flat()], message);
    checkHorizontal(figure, dimensions, refuseField);
    checkNames(figure, dimensions, refuseField);
    checkOnly(figure, dimensions, refuseField);
    if (figure.kind === 'distribution' && figure.statistic !== 'mean')
      refuseField('statistic', 'cannot be set: a distribution shows all Visits');
    if (figure.kind === 'scatter' && figure.statistic === 'reduction')
      refuseField('statistic', 'cannot be "reduction" in a scatter: write "line" or "bars" as its "kind"');
    if (figure.statistic === 'reduction' && figure.logY)
      refuseField('logY', 'cannot be true of a reduction, which may be negative');
  });
}

type RefuseField = (field: string | (string | number)[], message: string) => void;

function checkHorizontal(
  { kind, x, logX }: FigureChoice,
  dimensions: ReadonlyMap<string, DimensionValue[]>,
  refuse: RefuseField,
): void {
  if (x === undefined) return;
  if (kind === 'distribution') {
    refuse('x', 'cannot be set: the horizontal axis of a distribution is "y"');
    return;
  }
  const values = dimensions.get(x);
  if (kind === 'scatter') {
    if (!isMeasure(x) && !(values && isNumeric(values)))
      refuse('x', `must be a metric or a variable with numbers: write one of ${listNumeric(dimensions)}`);
    return;
  }
  if (values === undefined)
    refuse(
      'x',
      isMeasure(x)
        ? 'is a metric, which only a scatter has: write "kind: scatter", or a variable'
        : unknown(x, dimensions),
    );
  else if (logX && !isNumeric(values)) refuse('logX', `cannot be true: "${x}" has no numbers`);
}

function checkNames(
  { x, series = [], panels = [] }: FigureChoice,
  dimensions: ReadonlyMap<string, DimensionValue[]>,
  refuse: RefuseField,
): void {
  for (const [field, names] of [
    ['series', series],
    ['panels', panels],
  ] as const) {
    const strange = names.find((name) => !dimensions.has(name));
    if (strange !== undefined) refuse(field, unknown(strange, dimensions));
    const repeated = names.find((name) => name === x || (field === 'panels' && series.includes(name)));
    if (repeated !== undefined)
      refuse(field, `"${repeated}" is ${repeated === x ? '"x"' : 'in "series"'} already: leave it out here`);
  }
}

function checkOnly(
  { only = {} }: FigureChoice,
  dimensions: ReadonlyMap<string, DimensionValue[]>,
  refuse: RefuseField,
): void {
  for (const [name, chosen] of Object.entries(only)) {
    const values = dimensions.get(name);
    if (values === undefined) {
      refuse(['only', name], unknown(name, dimensions));
      continue;
    }
    const strange = chosen.find((value) => !values.includes(value));
    if (strange !== undefined)
      refuse(
        ['only', name],
        `${JSON.stringify(strange)} is no value of "${name}": write one of ${shorten(values.map((value) => JSON.stringify(value)))}`,
      );
  }
}

function unknown(name: string, dimensions: ReadonlyMap<string, DimensionValue[]>): string {
  const variables = [...dimensions.keys()].filter((each) => !(givenDimensions as readonly string[]).includes(each));
  return `there is no variable "${name}": write one of ${shorten([...variables, ...givenDimensions].map(quote))}`;
}

function listNumeric(dimensions: ReadonlyMap<string, DimensionValue[]>): string {
  const numeric = [...dimensions].filter(([, values]) => isNumeric(values)).map(([name]) => name);
  return shorten([...numeric, 'receivedBytes', 'objectCount', 'wireBytes'].map(quote));
}

const mostListed = 12;
const quote = (name: string) => `"${name}"`;

function shorten(names: readonly string[]): string {
  return `${names.slice(0, mostListed).join(', ')}${names.length > mostListed ? ', …' : ''}`;
}
