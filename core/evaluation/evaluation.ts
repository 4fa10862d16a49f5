import { z } from 'zod';
import { ArtefactSettingsSchema } from './artefact-settings.ts';
import { CapturePointSchema } from './capture-point.ts';
import { CaptureSettingsSchema } from './capture-settings.ts';
import { checkFigures } from './check-figures.ts';
import { ComparisonSettingsSchema } from './comparison-settings.ts';
import { explainUnsupportedArtefacts, explainUnsupportedSettings } from './explain-unsupported-settings.ts';
import { FigureChoicesSchema } from './figure-choice.ts';
import { listDimensions } from './list-dimensions.ts';
import { NameSchema } from './name.ts';
import { PageLoadRulesSchema } from './page-load-rules.ts';
import { RepetitionSchema } from './repetition.ts';
import { ScenarioSchema } from './scenario.ts';
import { expandUrlEntry, UrlListsSchema } from './url-list.ts';
import { UserAgentSchema } from './user-agent.ts';
import { refuseUnclearUsers } from './user-identity.ts';

/** What the evaluator configures: parameters, URL lists, a set of User Agents, a set of Scenarios. */
export const EvaluationSchema = z
  .strictObject({
    name: NameSchema.describe('The name of the Evaluation.'),
    description: z
      .string({ error: 'must be a text' })
      .max(4000, 'must have at most 4000 characters')
      .default('')
      .describe('What it is for, in your words.'),
    primaryMetric: z
      .enum(['baseMs', 'viewportMs', 'totalMs'], { error: 'must be "baseMs", "viewportMs" or "totalMs"' })
      .default('totalMs')
      .describe('The metric of the headline, declared before the Run.'),
    urlLists: UrlListsSchema.describe('The pages to load: named lists of URLs.'),
    userAgents: z
      .array(UserAgentSchema, { error: 'must be a list of User Agents' })
      .min(1, 'must have at least one User Agent')
      .max(500, 'must have at most 500 User Agents')
      .describe('The simulated users.'),
    scenarios: z
      .array(ScenarioSchema, { error: 'must be a list of Scenarios' })
      .min(1, 'must have at least one Scenario')
      .max(50, 'must have at most 50 Scenarios')
      .describe('The arms of the comparison. Exactly one is the baseline.'),
    pageLoad: PageLoadRulesSchema.prefault({}).describe('How every page is loaded.'),
    repetition: RepetitionSchema.prefault({}).describe('How often, and in which order, the Scenarios are measured.'),
    comparison: ComparisonSettingsSchema.prefault({}).describe(
      'How Scenarios are compared with the baseline, declared before the Run.',
    ),
    capture: CaptureSettingsSchema.prefault({}).describe(
      'The capture of packets, of each User Agent with a `sourceAddress`.',
    ),
    artefacts: ArtefactSettingsSchema.prefault({}).describe(
      'What else is recorded of each Visit. Each costs time in the browser.',
    ),
    capturePoints: z
      .array(CapturePointSchema, { error: 'must be a list of Capture Points' })
      .max(50, 'must have at most 50 Capture Points')
      .default([])
      .describe('Other places where packets are captured in each Round, such as a proxy.'),
    figures: FigureChoicesSchema.describe(
      'The figures with which the report opens. Without any, it opens with the one that fits the design.',
    ),
  })
  .superRefine(
    (evaluation, context) => {
      const refuse = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message });

      refuseRepeatedNames(evaluation.userAgents, 'userAgents', refuse);
      refuseRepeatedNames(evaluation.scenarios, 'scenarios', refuse);
      refuseRepeatedNames(evaluation.capturePoints, 'capturePoints', refuse);
      refuseUnclearUsers(evaluation.userAgents, refuse);

      const baselines = evaluation.scenarios.filter((scenario) => scenario.baseline);
      if (baselines.length !== 1) {
        const found =
          baselines.length === 0 ? 'none is' : `${baselines.map((scenario) => `"${scenario.name}"`).join(' and ')} are`;
        refuse(
          ['scenarios'],
          `exactly one Scenario must be the baseline, and ${found}: write "baseline: true" under one of them`,
        );
      }

      // A Scenario that says nothing would be measured over the link that the one before it left behind.
      if (evaluation.scenarios.some((scenario) => scenario.network)) {
        evaluation.scenarios.forEach((scenario, index) => {
          if (!scenario.network)
            refuse(
              ['scenarios', index, 'network'],
              'is missing, but other Scenarios have one: write "network: { link: none }" for a link without limits',
            );
          for (const userClass of Object.keys(scenario.network?.classes ?? {})) {
            if (evaluation.userAgents.some((userAgent) => userAgent.userClass === userClass)) continue;
            refuse(
              ['scenarios', index, 'network', 'classes', userClass],
              'no User Agent has this class: write it as the "userClass" of one',
            );
          }
        });
      }

      evaluation.scenarios.forEach(({ browser }, index) => {
        for (const { setting, message } of explainUnsupportedSettings(browser, evaluation.userAgents))
          refuse(['scenarios', index, 'browser', setting], message);
      });

      for (const { setting, message } of explainUnsupportedArtefacts(evaluation.artefacts, evaluation.userAgents))
        refuse(['artefacts', setting], message);

      if (evaluation.figures.length > 0) checkFigures(evaluation.figures, dimensionsOf(evaluation), refuse);

      evaluation.userAgents.forEach((userAgent, index) => {
        if (!Object.hasOwn(evaluation.urlLists, userAgent.urlList)) {
          const known = Object.keys(evaluation.urlLists)
            .map((name) => `"${name}"`)
            .join(', ');
          refuse(
            ['userAgents', index, 'urlList'],
            `there is no URL list "${userAgent.urlList}": write one of ${known}`,
          );
        }
      });
    },
    { when: ({ issues }) => issues.every(leavesPartsReadable) },
  );

/** Parts that the rules across parts read. */
const readParts: ReadonlySet<PropertyKey> = new Set([
  'urlLists',
  'userAgents',
  'scenarios',
  'artefacts',
  'capturePoints',
  'figures',
]);

/** Whether those rules can be applied beside this mistake, so that one answer names all. */
function leavesPartsReadable({ code, path = [] }: Pick<z.core.$ZodRawIssue, 'code' | 'path'>): boolean {
  if (path.length === 0) return code === 'unrecognized_keys';
  return code === 'unrecognized_keys' || !readParts.has(path[0]!);
}

export type Evaluation = z.infer<typeof EvaluationSchema>;

function dimensionsOf({
  urlLists,
  scenarios,
  userAgents,
}: Pick<Evaluation, 'urlLists' | 'scenarios' | 'userAgents'>): ReturnType<typeof listDimensions> {
  const pages = Object.values(urlLists).flatMap((entries) => entries.flatMap(expandUrlEntry));
  return listDimensions({
    pages: pages.map(({ url, variables }) => ({ page: url, variables })),
    scenarios,
    userAgents,
  });
}

function refuseRepeatedNames(
  items: { name: string }[],
  field: string,
  refuse: (path: (string | number)[], message: string) => void,
): void {
  const seen = new Set<string>();
  items.forEach(({ name }, index) => {
    if (seen.has(name)) refuse([field, index, 'name'], `the name "${name}" is used already: each name must differ`);
    seen.add(name);
  });
}
