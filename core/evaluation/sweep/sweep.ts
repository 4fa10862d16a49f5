import { z } from 'zod';
import { longestValue, mostVariables, VariableNameSchema, VariableValueSchema } from '../pages/variables.ts';

const mostValues = 200;

const SweptValueSchema = z.union(
  [VariableValueSchema, z.boolean()],
  `must be a number, true, false, or a line of at most ${longestValue} characters`,
);
export type SweptValue = z.infer<typeof SweptValueSchema>;

/** Values to combine, by the name of the variable that takes them. */
export const SweepSchema = z
  .record(
    VariableNameSchema,
    z
      .array(SweptValueSchema, { error: 'must be a list of values, such as [256, 500]' })
      .min(1, 'must have at least one value')
      .max(mostValues, `must have at most ${mostValues} values`)
      .refine((values) => new Set(values.map(String)).size === values.length, 'must not have a value twice'),
    { error: 'must be a mapping of names to lists of values, such as { rateKbps: [256, 500] }' },
  )
  .refine((sweep) => Object.keys(sweep).length > 0, 'must name at least one variable and its values')
  .refine((sweep) => Object.keys(sweep).length <= mostVariables, `must have at most ${mostVariables} variables`);
export type Sweep = z.infer<typeof SweepSchema>;

/** Values of some of the variables. A combination fits if it has all of them. */
export const PartialCombinationSchema = z
  .record(
    VariableNameSchema,
    z.union(
      [SweptValueSchema, z.array(SweptValueSchema).min(1, 'must have at least one value')],
      'must be a value of the sweep, or a list of them',
    ),
    { error: 'must be a mapping of names to values, such as { rateKbps: 256 }' },
  )
  .refine((values) => Object.keys(values).length > 0, 'must name at least one variable of the sweep');
export type PartialCombination = z.infer<typeof PartialCombinationSchema>;

export const ExceptSchema = z
  .array(PartialCombinationSchema, { error: 'must be a list of combinations, such as [{ rateKbps: 256 }]' })
  .max(mostValues, `must have at most ${mostValues} combinations`);

/** What a Scenario template has besides the settings of a Scenario, in which `{name}` may stand anywhere. */
export const TemplateFieldsSchema = z.object({
  sweep: SweepSchema,
  except: ExceptSchema.default([]),
  baseline: z
    .union(
      [z.boolean(), PartialCombinationSchema],
      'must be true, false, or the values of the sweep that make a Scenario the baseline, such as { mode: direct }',
    )
    .default(false),
});
export type TemplateFields = z.infer<typeof TemplateFieldsSchema>;

/** What a template has of the settings of a Scenario, with variables in it. */
export function settingsOf(template: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(template).filter(([key]) => !Object.hasOwn(TemplateFieldsSchema.shape, key)),
  );
}
