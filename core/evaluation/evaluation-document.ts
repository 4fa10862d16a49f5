import { z } from 'zod';
import { stopPipe } from '../input/stop-pipe.ts';
import { EvaluationSchema, ExpandedEvaluationSchema, placeIssues, type Evaluation } from './evaluation.ts';
import { refuseUnfitNetworks } from './network/refuse-unclear-networks.ts';
import { refuseUnclearUrls } from './pages/refuse-unclear-urls.ts';
import { ScenarioSchema } from './scenarios/scenario.ts';
import { NameSchema } from './name.ts';
import { expandSweeps, mostScenarios } from './sweep/expand-sweeps.ts';
import { TemplateFieldsSchema } from './sweep/sweep.ts';

/** A Scenario with a sweep, as it is written: what it stands for is checked after it was expanded. */
export const ScenarioTemplateSchema = z.looseObject({
  name: NameSchema.describe('The names of the Scenarios, with a place for each variable: `{mode} at {rateKbps} kb/s`.'),
  sweep: TemplateFieldsSchema.shape.sweep.describe(
    'Values by variable. The Scenario is repeated for each combination, with `{variable}` replaced anywhere in it.',
  ),
  except: TemplateFieldsSchema.shape.except
    .unwrap()
    .optional()
    .describe('Combinations to leave out. A combination of fewer variables leaves out all that have its values.'),
  baseline: TemplateFieldsSchema.shape.baseline
    .unwrap()
    .optional()
    .describe('Which of them are baselines: all, none, or those with these values.'),
});

const DocumentSchema = z.strictObject({
  ...ExpandedEvaluationSchema.shape,
  scenarios: z
    .array(z.union([ScenarioTemplateSchema, ScenarioSchema]))
    .min(1)
    .max(mostScenarios)
    .describe(ExpandedEvaluationSchema.shape.scenarios.description!),
});

/** An Evaluation as it is stored: a Scenario with a sweep stays one entry. It has all rules of an Evaluation. */
export const EvaluationDocumentSchema = makeSchema({ isStrict: false });
export type EvaluationDocument = z.infer<typeof DocumentSchema>;

/** The same as people write it now, with rules that earlier versions did not have: braces around a word in a URL are a variable, and the testbed can do what a network says. */
export const EvaluationInputSchema = makeSchema({ isStrict: true });

/** All Scenarios of a stored Evaluation, written out. */
export function expandDocument(document: EvaluationDocument): Evaluation {
  return EvaluationSchema.parse(document);
}

function makeSchema({ isStrict }: { isStrict: boolean }) {
  return z.preprocess((input: z.input<typeof DocumentSchema>, context) => {
    const parsed = EvaluationSchema.safeParse(input);
    if (!parsed.success) {
      context.issues.push(...parsed.error.issues.map(stopPipe));
      return z.NEVER;
    }
    refuseUnclearUrls(parsed.data, {
      isStrict,
      refuse: (path, message) => context.addIssue({ code: 'custom', path, message }),
    });
    if (!isStrict) return input;
    const issues: z.core.$ZodIssue[] = [];
    refuseUnfitNetworks(parsed.data, (path, message) => issues.push({ code: 'custom', path, message }));
    const expanded = expandSweeps(input.scenarios);
    if (expanded.kind === 'expanded') context.issues.push(...placeIssues(issues, expanded.sources));
    return input;
  }, DocumentSchema);
}
