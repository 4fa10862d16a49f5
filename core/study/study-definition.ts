import { z } from 'zod';
import { NameSchema } from '../evaluation/name.ts';
import { FormulaSchema } from './formula.ts';
import {
  AtPointSchema,
  isAtPoint,
  onlyBytesAtPoint,
  StudyMetricSchema,
  QuantitySchema,
  WhereSchema,
} from './quantity.ts';

const limit = z.union([z.number(), FormulaSchema], {
  error: 'must be a number, or a formula such as "2 * rttMs"',
});

/** What is claimed of a quantity. A formula is of the emulated link of its Scenario. */
const BoundSchema = z
  .strictObject({
    above: limit.optional().describe('The quantity is more than this.'),
    below: limit.optional().describe('The quantity is less than this.'),
  })
  .refine(({ above, below }) => above !== undefined || below !== undefined, 'must have "above", "below" or both')
  .refine(
    ({ above, below }) => typeof above !== 'number' || typeof below !== 'number' || above < below,
    'must leave room: "above" must be less than "below"',
  );
export type Bound = z.infer<typeof BoundSchema>;

const text = (maximum: number) =>
  z
    .string({ error: 'must be a text' })
    .min(1, 'must not be empty')
    .max(maximum, `must have at most ${maximum} characters`);

/** One number that is predicted. */
const CheckSchema = z.strictObject({
  parts: z
    .array(NameSchema)
    .min(1, 'must name at least one part')
    .optional()
    .describe('The parts in which it must hold. Without it, all.'),
  each: z
    .literal('page', { error: 'must be "page"' })
    .optional()
    .describe('With `page`, it must hold for every page by itself. Without it, for the mean over pages.'),
  quantity: QuantitySchema,
  bound: BoundSchema,
});
export type Check = z.infer<typeof CheckSchema>;

/** A finding of a paper, declared before anything is measured. */
const ExpectationSchema = z.strictObject({
  source: text(200).describe('Paper, section and figure.'),
  claim: text(600).describe('What it says, in its own words where these are short.'),
  checks: z.array(CheckSchema).min(1, 'must have at least one check'),
  otherConditions: text(600)
    .optional()
    .describe(
      'What the claim is about and no part has. The finding then says so, and neither confirms nor contradicts.',
    ),
  remark: text(600).optional().describe('What to know when reading the result.'),
});
export type Expectation = z.infer<typeof ExpectationSchema>;

/** What physics says of the Runs, beside what is compared in them. A Run that breaks one is implausible, and no finding of it has a verdict. */
const ClosedFormSchema = z.strictObject({
  law: text(300).describe('What must hold, such as "connecting takes one round trip".'),
  checks: z.array(CheckSchema).min(1, 'must have at least one check'),
});
export type ClosedForm = z.infer<typeof ClosedFormSchema>;

const ShortText = z.string({ error: 'must be a text' }).min(1, 'must not be empty').max(300);
const SlugSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and "-"');
const ValuesSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/),
  z.union([z.string(), z.number(), z.boolean()]),
);
export type StudyValues = z.infer<typeof ValuesSchema>;

/** A figure over several parts, as the papers have them. */
const StudyFigureSchema = z.strictObject({
  title: ShortText,
  kind: z.undefined().optional(),
  metric: StudyMetricSchema,
  at: AtPointSchema,
  over: z
    .string()
    .min(1, 'must be the name of a value or of a variable')
    .describe('What the x axis has: a value of the parts, such as `rateKbps`, or a variable of their pages.'),
  overLabel: ShortText.describe('The label of the x axis, with its unit.'),
  logX: z.boolean().default(false).describe('Whether the x axis is logarithmic.'),
  parts: z.array(NameSchema).min(1, 'must name at least one part').optional().describe('Without it, all.'),
  where: WhereSchema,
  scenarios: z.array(NameSchema).min(1, 'must name at least one Scenario').max(12),
  series: z
    .array(NameSchema)
    .min(1, 'must name at least one dimension')
    .max(3)
    .default(['scenario'])
    .describe(
      'One line for each combination of these: `scenario`, variables of pages, values of parts that are numbers.',
    ),
  against: NameSchema.optional().describe('Draws the reductions against this Scenario, and not the means.'),
  paper: z
    .array(
      z.strictObject({
        source: ShortText.describe('Paper and figure.'),
        scenario: NameSchema.describe('The line that the points belong to.'),
        points: z
          .array(z.tuple([z.number(), z.number()]))
          .min(1, 'must have at least one point')
          .describe('`[x, y]` as the paper prints them, in the units of the metric; of reductions, from 0 to 1.'),
      }),
    )
    .default([])
    .describe('What a paper prints in numbers.'),
});
const JointFigureSchema = StudyFigureSchema.refine(
  ({ paper, series }) => paper.length === 0 || (series.length === 1 && series[0] === 'scenario'),
  { path: ['paper'], error: 'needs the series "scenario" alone' },
).refine(isAtPoint, { path: ['at'], error: onlyBytesAtPoint });
export type StudyFigureDefinition = z.infer<typeof StudyFigureSchema>;

/** One load over time: the rate both ways, and when each connection carries bytes. */
const LoadFigureSchema = z.strictObject({
  title: ShortText,
  kind: z
    .literal('load')
    .describe('The load whose page load time is the median of the Scenario’s, or the shorter one of two.'),
  part: NameSchema,
  scenario: NameSchema,
  where: WhereSchema,
});
export type LoadFigureDefinition = z.infer<typeof LoadFigureSchema>;

export function isOfLoad(figure: StudyFigureDefinition | LoadFigureDefinition): figure is LoadFigureDefinition {
  return figure.kind === 'load';
}

/** One Run of a study: an Evaluation, and how long it takes. */
export const StudyPartSchema = z.strictObject({
  name: SlugSchema,
  evaluation: z
    .string()
    .regex(/^[\w-]+\.yaml$/, 'must be a file of the study’s folder, such as "one.yaml"')
    .describe('The file of its Evaluation.'),
  minutes: z.number().positive('must be above 0').describe('How long it takes in full.'),
  quickMinutes: z.number().positive('must be above 0').describe('How long it takes with `--quick`.'),
  users: z
    .int()
    .min(0)
    .max(60)
    .default(0)
    .describe('Users that have a network namespace each: the hosts `user1`, `user2` and so on.'),
  programs: z
    .array(SlugSchema)
    .max(20)
    .default([])
    .describe('Programs that it starts, each in the Debian package of the same name.'),
  values: ValuesSchema.default({}).describe('What `${name}` in the Evaluation is replaced by.'),
});
export type StudyPart = z.infer<typeof StudyPartSchema>;

/** A case study of a paper, as a program can repeat and judge it. */
export const StudySchema = z
  .strictObject({
    title: ShortText,
    summary: ShortText.describe('What it asks, in a sentence.'),
    papers: z
      .array(z.strictObject({ name: ShortText, figures: ShortText }))
      .min(1, 'must name at least one paper')
      .describe('Where its findings are from.'),
    values: ValuesSchema.default({}).describe('Values of every part.'),
    quick: ValuesSchema.default({}).describe('Values with `--quick`: fewer pages and Rounds.'),
    parts: z.array(StudyPartSchema).min(1, 'must have at least one part'),
    closedForms: z.array(ClosedFormSchema).min(1, 'must have at least one closed form'),
    expectations: z.array(ExpectationSchema).min(1, 'must have at least one expectation'),
    figures: z
      .array(z.discriminatedUnion('kind', [LoadFigureSchema, JointFigureSchema], 'must be "load", or left out'))
      .default([]),
    threats: z.array(text(600)).default([]).describe('What else may explain the findings, or limits them.'),
  })
  .superRefine(({ parts, expectations, closedForms, figures }, context) => {
    const names = parts.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({ code: 'custom', path: ['parts', index, 'name'], message: `"${name}" is used already` });
    });
    const refuseUnknownPart = (part: string, path: (string | number)[]) => {
      if (names.includes(part)) return;
      const message = `there is no part "${part}": write one of ${names.join(', ')}`;
      context.addIssue({ code: 'custom', path, message });
    };
    const refuseUnknownParts = (named: readonly string[] | undefined, path: (string | number)[]) =>
      named?.forEach((part, place) => refuseUnknownPart(part, [...path, 'parts', place]));
    for (const [section, all] of Object.entries({ closedForms, expectations }))
      all.forEach(({ checks }, index) =>
        checks.forEach((check, at) => refuseUnknownParts(check.parts, [section, index, 'checks', at])),
      );
    figures.forEach((figure, index) => {
      if (isOfLoad(figure)) {
        refuseUnknownPart(figure.part, ['figures', index, 'part']);
        return;
      }
      refuseUnknownParts(figure.parts, ['figures', index]);
      const shown = parts.filter(({ name }) => figure.parts?.includes(name) ?? true);
      const at = shown.flatMap((part) => part.values[figure.over] ?? []);
      if (new Set(at).size < at.length && figure.series.join() === 'scenario')
        context.addIssue({
          code: 'custom',
          path: ['figures', index, 'parts'],
          message: `has two parts with the same ${figure.over}: name one of them, or name in "series" what they differ in`,
        });
    });
  });
export type Study = z.infer<typeof StudySchema>;
