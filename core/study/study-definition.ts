import { z } from 'zod';
import { NameSchema } from '../evaluation/name.ts';
import { QuantitySchema } from './quantity.ts';

const limit = z.number({ error: 'must be a number' });

/** What a finding claims of a quantity. */
const BoundSchema = z
  .strictObject({
    above: limit.optional().describe('The quantity is more than this.'),
    below: limit.optional().describe('The quantity is less than this.'),
  })
  .refine(({ above, below }) => above !== undefined || below !== undefined, 'must have "above", "below" or both')
  .refine(
    ({ above = -Infinity, below = Infinity }) => above < below,
    'must leave room: "above" must be less than "below"',
  );
export type Bound = z.infer<typeof BoundSchema>;

const text = (maximum: number) =>
  z
    .string({ error: 'must be a text' })
    .min(1, 'must not be empty')
    .max(maximum, `must have at most ${maximum} characters`);

/** One number that a finding predicts. */
const CheckSchema = z.strictObject({
  parts: z
    .array(NameSchema)
    .min(1, 'must name at least one part')
    .optional()
    .describe('The parts in which it must hold. Without it, all.'),
  quantity: QuantitySchema,
  bound: BoundSchema,
});
export type Check = z.infer<typeof CheckSchema>;

/** A finding of a paper, declared before anything is measured. */
const ExpectationSchema = z.strictObject({
  source: text(200).describe('Paper, section and figure.'),
  claim: text(600).describe('What it says, in its own words where these are short.'),
  checks: z.array(CheckSchema).min(1, 'must have at least one check'),
  remark: text(600).optional().describe('What to know when reading the result.'),
});
export type Expectation = z.infer<typeof ExpectationSchema>;

const ShortText = z.string({ error: 'must be a text' }).min(1, 'must not be empty').max(300);
const SlugSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and "-"');
const ValuesSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/),
  z.union([z.string(), z.number(), z.boolean()]),
);
export type StudyValues = z.infer<typeof ValuesSchema>;

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
    expectations: z.array(ExpectationSchema).min(1, 'must have at least one expectation'),
  })
  .superRefine(({ parts, expectations }, context) => {
    const names = parts.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({ code: 'custom', path: ['parts', index, 'name'], message: `"${name}" is used already` });
    });
    expectations.forEach(({ checks }, expectation) =>
      checks.forEach((check, index) =>
        check.parts?.forEach((part, place) => {
          if (names.includes(part)) return;
          context.addIssue({
            code: 'custom',
            path: ['expectations', expectation, 'checks', index, 'parts', place],
            message: `there is no part "${part}": write one of ${names.join(', ')}`,
          });
        }),
      ),
    );
  });
export type Study = z.infer<typeof StudySchema>;
