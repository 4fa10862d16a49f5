import { z } from 'zod';
import { findRefusedArtefacts } from './artefact-givers.ts';
import { ArtefactSettingsSchema } from './artefact-settings.ts';
import { browserOf, placeOfSetting } from './browser/browser-of.ts';
import { CaptureSettingsSchema, SnapBytesSchema, CaptureFilterSchema } from './capture/capture-settings.ts';
import { checkFigures } from './figures/check-figures.ts';
import { explainUnsupportedSettings } from './browser/explain-unsupported-settings.ts';
import { FigureChoicesSchema, listDimensions } from './figures/figure-choice.ts';
import { NameSchema } from './name.ts';
import { PageLoadRulesSchema } from './pages/page-load.ts';
import { RepetitionSchema, refuseUnclearBarrier } from './rounds/repetition.ts';
import { refuseUnclearNetworks, refuseUnclearHttpep } from './network/refuse-unclear-networks.ts';
import { refuseUnclearSites } from './pages/site-page.ts';
import { refuseUnclearUrls, refuseUnfitUrlLists } from './pages/refuse-unclear-urls.ts';
import { ScenarioSchema, type Scenario } from './scenarios/scenario.ts';
import { expandSweeps, isTemplate, mostScenarios } from './sweep/expand-sweeps.ts';
import { expandUrlEntry } from './pages/url-entry.ts';
import { UrlListsSchema } from './pages/url-list.ts';
import { UserAgentSchema } from './users/user-agent.ts';
import { refuseUnclearUsers, InterfaceSchema } from './users/user-identity.ts';
import type { WordsOf } from './setting-words.ts';
import { TrendSettingsSchema } from './trend-settings.ts';
import { stopPipe } from '../input/stop-pipe.ts';
import { latencyIds } from '../metrics/index.ts';

/** How the Scenarios are to be compared with the baseline: declared before the Run, so that nobody chooses after having seen the figures. */
export const ComparisonSettingsSchema = z.strictObject({
  confidence: z
    .number({ error: 'must be a number such as 0.95' })
    .min(0.8, 'must be at least 0.8')
    .max(0.999, 'must be at most 0.999')
    .default(0.95)
    .describe('The confidence of every interval, 1 − α.'),
  family: z
    .array(z.enum(latencyIds, { error: 'must be "baseMs", "viewportMs" or "totalMs"' }))
    .default([])
    .describe(
      'More metrics to claim differences of, besides the primary one. The p-values of all are corrected together (Holm). Other metrics are exploratory.',
    ),
  equivalenceMargin: z
    .number({ error: 'must be a number such as 0.05, for 5 %' })
    .min(0.001, 'must be at least 0.001')
    .max(0.5, 'must be at most 0.5')
    .default(0.05)
    .describe('Scenarios are equivalent if the ratio of their latencies is between 1 − this and 1 / (1 − this).'),
});

export const comparisonWords: WordsOf<Omit<z.infer<typeof ComparisonSettingsSchema>, 'family'>> = {
  confidence: { label: 'Confidence', unit: '%', scale: 100 },
  equivalenceMargin: { label: 'Equivalent within ±', unit: '%', scale: 100 },
};

/** Where packets are captured without a User Agent, such as at a proxy or at the far end of the link: in every Round, from before its start to its end. */
const CapturePointSchema = z.strictObject({
  name: NameSchema.describe('Shown in every table and figure.'),
  host: NameSchema.describe('The Agent that captures.'),
  interface: InterfaceSchema.describe('The network interface.'),
  filter: CaptureFilterSchema.default('').describe('Which packets, in the language of pcap-filter(7). Empty: all.'),
  snapBytes: SnapBytesSchema.optional().describe(
    'The bytes of each packet that are kept. Without it, `capture.snapBytes`.',
  ),
});

/** Each is a Pass of every Round. */
const mostUserAgents = 5000;

/** An Evaluation whose Scenarios are all written out. */
export const ExpandedEvaluationSchema = z
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
      .max(mostUserAgents, `must have at most ${mostUserAgents} User Agents`)
      .describe('The simulated users.'),
    scenarios: z
      .array(ScenarioSchema, { error: 'must be a list of Scenarios' })
      .min(1, 'must have at least one Scenario')
      .max(mostScenarios, `must have at most ${mostScenarios} Scenarios`)
      .describe('The arms of the comparison. Exactly one is the baseline, or exactly one of each group.'),
    pageLoad: PageLoadRulesSchema.prefault({}).describe('How every page is loaded.'),
    repetition: RepetitionSchema.prefault({}).describe('How often, and in which order, the Scenarios are measured.'),
    comparison: ComparisonSettingsSchema.prefault({}).describe(
      'How Scenarios are compared with the baseline, declared before the Run.',
    ),
    capture: CaptureSettingsSchema.prefault({}).describe(
      'The capture of packets, of each User Agent with a `sourceAddress`.',
    ),
    artefacts: ArtefactSettingsSchema.prefault({}).describe(
      'What else is recorded of each Visit, by the User Agents that can. Each costs time in the browser.',
    ),
    capturePoints: z
      .array(CapturePointSchema, { error: 'must be a list of Capture Points' })
      .max(50, 'must have at most 50 Capture Points')
      .default([])
      .describe('Other places where packets are captured in each Round, such as a proxy.'),
    resources: z
      .array(NameSchema, { error: 'must be a list of names' })
      .max(20, 'must have at most 20 resources')
      .refine((names) => new Set(names).size === names.length, 'must name each resource once')
      .default([])
      .describe(
        'What its Runs share with others besides hosts and the hosts of URLs, such as a link. Runs that name the same resource run one after the other.',
      ),
    trend: TrendSettingsSchema.optional().describe('What its Runs are held against, one after the other.'),
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
      if (!context.issues.some(({ path }) => path?.[0] === 'repetition')) refuseUnclearBarrier(evaluation, refuse);

      refuseUnclearGroups(evaluation.scenarios, refuse);
      refuseUnknownUsers(evaluation, refuse);
      refuseUnclearUrls(evaluation, { isStrict: false, refuse });

      refuseUnclearNetworks(evaluation, refuse);
      refuseUnclearSites(evaluation, refuse);

      evaluation.scenarios.forEach((scenario, index) => {
        refuseRepeatedNames(scenario.processes, ['scenarios', index, 'processes'], refuse);
        for (const { setting, message } of explainUnsupportedSettings(browserOf(scenario), evaluation.userAgents))
          refuse(['scenarios', index, ...placeOfSetting(scenario, setting)], message);
      });
      refuseUnclearHttpep(evaluation, refuse);

      for (const { artefact, message } of findRefusedArtefacts(evaluation)) refuse(['artefacts', artefact], message);

      if (evaluation.figures.length > 0) checkFigures(evaluation.figures, dimensionsOf(evaluation), refuse);

      refuseUnfitUrlLists(evaluation, refuse);
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

/** What the evaluator configures: parameters, URL lists, a set of User Agents, a set of Scenarios. Sweeps are expanded before anything else. */
export const EvaluationSchema = z.preprocess((input: z.input<typeof ExpandedEvaluationSchema>, context) => {
  const written: unknown = input;
  if (typeof written !== 'object' || written === null || !('scenarios' in written)) return input;
  const { scenarios } = written;
  if (!Array.isArray(scenarios) || !scenarios.some(isTemplate)) return input;
  const expanded = expandSweeps(scenarios);
  if (expanded.kind === 'refused') {
    for (const { path, message } of expanded.faults)
      context.addIssue({ code: 'custom', path: ['scenarios', ...path], message });
    return z.NEVER;
  }
  const all = { ...written, scenarios: expanded.scenarios };
  const issues = ExpandedEvaluationSchema.safeParse(all).error?.issues ?? [];
  context.issues.push(...placeIssues(issues, expanded.sources));
  return issues.length > 0 ? z.NEVER : (all as z.input<typeof ExpandedEvaluationSchema>);
}, ExpandedEvaluationSchema);

/** Issues at the entries that the Scenarios were written as: each once. */
export function placeIssues(issues: readonly z.core.$ZodIssue[], sources: readonly number[]): z.core.$ZodRawIssue[] {
  const placed = issues.map((issue): z.core.$ZodRawIssue => {
    const [field, index, ...rest] = issue.path;
    if (field !== 'scenarios' || typeof index !== 'number') return stopPipe(issue);
    return stopPipe({ ...issue, path: [field, sources[index]!, ...rest] });
  });
  return [...new Map(placed.map((issue) => [JSON.stringify([issue.path, issue.message]), issue])).values()];
}

export type Evaluation = z.infer<typeof ExpandedEvaluationSchema>;

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
  field: string | (string | number)[],
  refuse: (path: (string | number)[], message: string) => void,
): void {
  const seen = new Set<string>();
  items.forEach(({ name }, index) => {
    if (seen.has(name))
      refuse([field, index, 'name'].flat(), `the name "${name}" is used already: each name must differ`);
    seen.add(name);
  });
}

type Refuse = (path: (string | number)[], message: string) => void;
type Placed = Pick<Scenario, 'name' | 'baseline' | 'group'> & { index: number };

/** Calls `refuse` where there is not exactly one baseline: of all Scenarios or, where they have groups, of each group. */
/** A Scenario names User Agents that there are, each once, and a baseline has all. */
function refuseUnknownUsers(
  { scenarios, userAgents }: { scenarios: readonly Scenario[]; userAgents: readonly { name: string }[] },
  refuse: Refuse,
): void {
  const known = new Set(userAgents.map(({ name }) => name));
  scenarios.forEach(({ userAgents: own, baseline }, index) => {
    if (own && baseline)
      refuse(
        ['scenarios', index, 'userAgents'],
        'cannot be given for a baseline, which all User Agents are compared with',
      );
    own?.forEach((name, place) => {
      const path = ['scenarios', index, 'userAgents', place];
      if (!known.has(name)) refuse(path, `is no User Agent: there are ${[...known].join(', ')}`);
      else if (own.indexOf(name) < place) refuse(path, 'is named twice');
    });
  });
}

function refuseUnclearGroups(
  scenarios: readonly Pick<Scenario, 'name' | 'baseline' | 'group'>[],
  refuse: Refuse,
): void {
  const placed = scenarios.map((scenario, index): Placed => ({ ...scenario, index }));
  const groups = Map.groupBy(placed, ({ group }) => group);
  const [loose = [], hasGroups] = [groups.get(undefined), groups.size > 1 || !groups.has(undefined)];
  if (!hasGroups) {
    const baselines = loose.filter(({ baseline }) => baseline);
    if (baselines.length !== 1)
      refuse(
        ['scenarios'],
        `exactly one Scenario must be the baseline, and ${describe(baselines)}: write "baseline: true" under one of them`,
      );
    return;
  }
  for (const { index } of loose)
    refuse(['scenarios', index, 'group'], 'must name a group, as other Scenarios have one');
  for (const [group, own] of groups) {
    if (group === undefined) continue;
    const baselines = own.filter(({ baseline }) => baseline);
    if (baselines.length === 1) continue;
    const [place, field] = baselines.length === 0 ? [own[0]!, 'group'] : [baselines[1]!, 'baseline'];
    refuse(
      ['scenarios', place.index, field],
      `exactly one Scenario of the group "${group}" must be the baseline, and ${describe(baselines)}: write "baseline: true" under one of ${own
        .map(({ name }) => `"${name}"`)
        .slice(0, 5)
        .join(', ')}${own.length > 5 ? ', …' : ''}`,
    );
  }
}

function describe(baselines: readonly Placed[]): string {
  return baselines.length === 0 ? 'none is' : `${baselines.map(({ name }) => `"${name}"`).join(' and ')} are`;
}
