import { z } from 'zod';
import { measureIds } from '../../metrics/measures.ts';

export const figureKinds = ['line', 'bars', 'heat', 'scatter', 'distribution'] as const;
export type FigureKind = (typeof figureKinds)[number];

export const figureStatistics = ['mean', 'min', 'median', 'p95', 'max', 'reduction'] as const;
export type FigureStatistic = (typeof figureStatistics)[number];

/** What distinguishes measurements in every Run. All other dimensions are variables of pages or Scenarios. */
export const givenDimensions = ['page', 'scenario', 'group', 'userAgent', 'userClass'] as const;
export type GivenDimension = (typeof givenDimensions)[number];

export const mostFigures = 30;
const mostSeriesDimensions = 3;
const mostPanelDimensions = 2;
const mostChosenValues = 200;
const longestValue = 4096;

const NameSchema = z
  .string({ error: 'must be a name, such as a variable of the pages' })
  .min(1, 'must not be empty')
  .max(80, 'must have at most 80 characters');

/** A name alone is a list of one. */
const namesSchema = (most: number) =>
  z.preprocess(
    (names) => (typeof names === 'string' ? [names] : names),
    z
      .array(NameSchema, { error: 'must be a name, or a list of names' })
      .max(most, `must have at most ${most} names`)
      .refine((names) => new Set(names).size === names.length, 'must not have a name twice'),
  );

export const SeriesSchema = namesSchema(mostSeriesDimensions);
export const PanelsSchema = namesSchema(mostPanelDimensions);

const ValueSchema = z.union(
  [z.number(), z.string().max(longestValue, `must have at most ${longestValue} characters`)],
  'must be a number or a text',
);
export type DimensionValue = z.infer<typeof ValueSchema>;

const listOf = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/** One figure of the report. What is left out is chosen by the design of the Evaluation. */
export const FigureChoiceSchema = z.strictObject({
  title: z
    .string({ error: 'must be a text' })
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe('Its title. Without it, the title names what is drawn.'),
  kind: z
    .enum(figureKinds, { error: `must be one of ${listOf(figureKinds)}` })
    .default('line')
    .describe(
      'A line, bars or a heat map of a statistic, a scatter of pages with least-squares lines, or the distribution (ECDF) of all Visits.',
    ),
  y: z
    .enum(measureIds, { error: `must be one of ${listOf(measureIds)}` })
    .optional()
    .describe('A metric, or a figure of the wire per Visit. Without it, the primary metric.'),
  statistic: z
    .enum(figureStatistics, { error: `must be one of ${listOf(figureStatistics)}` })
    .default('mean')
    .describe(
      'Of `y`. `mean` and `reduction`, which is against the baseline, have intervals over Rounds. The others are of all Visits.',
    ),
  x: NameSchema.optional().describe(
    'The horizontal axis: a variable of pages or Scenarios, `page`, `scenario`, `group`, `userAgent` or `userClass`. Of a scatter also a metric.',
  ),
  series: SeriesSchema.optional().describe(
    'One line, bar, colour or row for each combination of these. Names as in `x`.',
  ),
  panels: PanelsSchema.optional().describe(
    'Small multiples: one chart for each combination of these. Names as in `x`.',
  ),
  only: z
    .record(
      NameSchema,
      z
        .array(ValueSchema)
        .min(1, 'must have at least one value')
        .max(mostChosenValues, `must have at most ${mostChosenValues} values`),
      {
        error: 'must be a mapping of names to lists of values, such as { rateKbps: [256, 500] }',
      },
    )
    .optional()
    .describe('Which values of a dimension are drawn. Without it, all.'),
  logX: z
    .boolean({ error: 'must be true or false' })
    .optional()
    .describe(
      'Whether the horizontal axis is logarithmic. Without it, that of lines is where its values span more than a factor of 20 and most are small.',
    ),
  logY: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether the vertical axis is logarithmic.'),
});
export type FigureChoice = z.infer<typeof FigureChoiceSchema>;

export const FigureChoicesSchema = z
  .array(FigureChoiceSchema, { error: 'must be a list of figures' })
  .max(mostFigures, `must have at most ${mostFigures} figures`)
  .default([]);

/** The parts of an Evaluation that distinguish its measurements. */
interface DimensionSource {
  pages: readonly { page: string; variables: Readonly<Record<string, number>> }[];
  scenarios: readonly {
    name: string;
    group?: string | null | undefined;
    variables?: Readonly<Record<string, DimensionValue>> | undefined;
  }[];
  userAgents: readonly { name: string; userClass?: string | null | undefined }[];
}

/**
 * The values of every dimension, in the order in which figures show them: numbers ascending, others as the Evaluation has them. A variable that pages
 * and Scenarios have is that of the pages. Given dimensions win over variables of their name.
 */
export function listDimensions({ pages, scenarios, userAgents }: DimensionSource): Map<string, DimensionValue[]> {
  const ofScenarios = gatherVariables(scenarios);
  const ofPages = gatherVariables(pages);
  const given: Record<GivenDimension, DimensionValue[]> = {
    page: pages.map(({ page }) => page),
    scenario: scenarios.map(({ name }) => name),
    group: scenarios.flatMap(({ group }) => group ?? []),
    userAgent: userAgents.map(({ name }) => name),
    userClass: userAgents.flatMap(({ userClass }) => userClass ?? []),
  };
  return new Map([
    ...[...ofScenarios, ...ofPages].map(([name, values]) => [name, sortValues([...values])] as const),
    ...givenDimensions.map((name) => [name, sortValues([...new Set(given[name])])] as const),
  ]);
}

export function isNumeric(values: readonly DimensionValue[]): values is number[] {
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

function gatherVariables(
  all: readonly { variables?: Readonly<Record<string, DimensionValue>> | undefined }[],
): Map<string, Set<DimensionValue>> {
  const found = new Map<string, Set<DimensionValue>>();
  for (const { variables = {} } of all) {
    for (const [name, value] of Object.entries(variables)) {
      const values = found.get(name);
      if (values) values.add(value);
      else found.set(name, new Set([value]));
    }
  }
  return found;
}

function sortValues(values: DimensionValue[]): DimensionValue[] {
  return isNumeric(values) ? values.toSorted((a, b) => a - b) : values;
}
