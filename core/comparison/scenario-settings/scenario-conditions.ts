import { z } from 'zod';
import { VariablesSchema } from '../../evaluation/pages/variables.ts';

/** A setting in which a Scenario is not as its baseline, both in words. */
export const SettingDifferenceSchema = z.object({
  setting: z.string(),
  baseline: z.string(),
  own: z.string(),
  /** Whether they are scripts, whose lines and spaces say something. */
  isScript: z.boolean(),
});
export type SettingDifference = z.infer<typeof SettingDifferenceSchema>;

/** A setting that is alike in every Scenario. */
export const SharedSettingSchema = z.object({ setting: z.string(), words: z.string(), isScript: z.boolean() });
export type SharedSetting = z.infer<typeof SharedSettingSchema>;

/** What sets a Scenario apart. */
export const ScenarioConditionsSchema = z.object({
  scenario: z.string(),
  isBaseline: z.boolean(),
  /** In the evaluator's words; empty where there are none. */
  description: z.string(),
  /** Missing where the Evaluation has no groups. */
  group: z.string().optional(),
  /** Which settings set it apart, as `markTraits` has it. Its colour depends on it. Missing where none do. */
  trait: z.string().optional(),
  /** The emulated link with its queues, in words; missing where there is none. */
  link: z.string().optional(),
  /** As the Evaluation has them, those of a sweep first; missing where there are none. */
  variables: VariablesSchema.optional(),
  /** First its variables, then the settings of the browser, then of the network, then of the hosts; none for the baseline. */
  differences: z.array(SettingDifferenceSchema),
});
export type ScenarioConditions = z.infer<typeof ScenarioConditionsSchema>;
