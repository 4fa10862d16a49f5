import { enginesObeying, isObeyed, type Setting } from '#core/evaluation/browser/engine-settings.ts';
import type { LinkPreset } from '#core/evaluation/network/link-profile-presets.ts';
import { HttpepSchema } from '#core/evaluation/network/httpep.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import type { Engine } from '#core/evaluation/users/user-agent.ts';

/** The hosts that it has unless one writes others. */
export const httpepEnds = HttpepSchema.parse({});

export const comparisonKinds = [
  'protocols',
  'connections',
  'cache',
  'proxy',
  'httpep',
  'images',
  'screens',
  'links',
  'own',
] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** What the answers say of the Scenarios. */
export interface ComparisonAnswers {
  engine: Engine;
  /** What it obeys on the chosen host, where hosts differ in that. */
  settings?: readonly string[] | undefined;
  proxy: string;
  /** The host that has a testbed, if one is connected. */
  testbed: string | null;
  /** Whether the hosts of both ends of HTTPEP are connected. */
  hasHttpepEnds: boolean;
  links: readonly [baseline: LinkPreset, other: LinkPreset];
}

export interface ScenarioDraft {
  name: string;
  browser?: Record<string, unknown>;
  network?: { host: string; link: LinkPreset };
  /** Empty: with its defaults. */
  httpep?: Record<string, never>;
}

/** What starts a testbed, and connects its hosts. */
export const testbedCommand = './http-ae testbed up geo-1m --join --origin';

interface Comparison {
  label: string;
  /** Of the Evaluation that it makes. */
  name: string;
  detail: string;
  /** Why it is not possible with these answers; null when it is. */
  explainAbsence: (answers: ComparisonAnswers) => string | null;
  scenarios: (answers: ComparisonAnswers) => [baseline: ScenarioDraft, other: ScenarioDraft];
}

const needs =
  (...settings: Setting[]) =>
  (answers: ComparisonAnswers) =>
    settings.some((setting) => isObeyed(setting, answers))
      ? null
      : `The engine ${answers.engine} cannot do this. Under Browser and host, choose ${listEnginesOf(settings)}.`;

const listEnginesOf = (settings: Setting[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(new Set(settings.flatMap(enginesObeying)));

/** A browser that does not look for images has no failed objects. The extension in the browser of a person can only block their requests. */
function leaveOutImages(answers: ComparisonAnswers): Record<string, unknown> {
  if (isObeyed('prefs', answers)) return { prefs: { 'permissions.default.image': 2 } };
  if (isObeyed('flags', answers)) return { flags: ['--blink-settings=imagesEnabled=false'] };
  return { blockedRequests: ['image'] };
}

const phone = { viewport: { widthPx: 412, heightPx: 915 }, deviceScaleRatio: 2.625 };

/** The most frequent questions. The form has all others. */
export const comparisons: Record<ComparisonKind, Comparison> = {
  protocols: {
    label: 'HTTP/1.1 vs HTTP/2',
    name: 'HTTP/1.1 vs HTTP/2',
    detail: 'Compares HTTP versions.',
    explainAbsence: needs('protocols'),
    scenarios: () => [{ name: 'HTTP/1.1', browser: { protocols: ['http/1.1'] } }, { name: 'HTTP/2' }],
  },
  connections: {
    label: '1 vs 6 connections',
    name: '1 vs 6 connections',
    detail: 'Limits the connections to each origin.',
    explainAbsence: needs('connectionsPerOrigin'),
    scenarios: () => [
      { name: '1 connection', browser: { connectionsPerOrigin: 1 } },
      { name: '6 connections', browser: { connectionsPerOrigin: 6 } },
    ],
  },
  cache: {
    label: 'Cold vs warm cache',
    name: 'Cold vs warm cache',
    detail: 'Compares first visits with repeated ones.',
    explainAbsence: needs('cache'),
    scenarios: () => [{ name: 'Cold' }, { name: 'Warm', browser: { cache: 'warm' } }],
  },
  proxy: {
    label: 'Direct vs proxy',
    name: 'Direct vs proxy',
    detail: 'Sends requests through your proxy, such as a PEP.',
    explainAbsence: needs('proxy'),
    scenarios: ({ proxy }) => [{ name: 'Direct' }, { name: 'Proxy', browser: { proxy } }],
  },
  httpep: {
    label: 'Direct vs HTTPEP',
    name: 'Direct vs HTTPEP',
    detail: 'Puts HTTPEP, the split proxy, at both ends of the link.',
    explainAbsence: (answers) =>
      needs('proxy')(answers) ??
      (answers.hasHttpepEnds ? null : 'Needs a testbed, whose hosts ground and remote are its ends: see below.'),
    scenarios: ({ testbed, links: [, link] }) => {
      const network = testbed === null ? {} : { network: { host: testbed, link } };
      return [
        { name: 'Direct', ...network },
        { name: 'HTTPEP', ...network, httpep: {} },
      ];
    },
  },
  images: {
    label: 'With vs without images',
    name: 'With vs without images',
    detail: 'Shows how much latency the images cost.',
    explainAbsence: needs('flags', 'prefs', 'blockedRequests'),
    scenarios: (answers) => [
      { name: 'With images' },
      {
        name: 'Without images',
        browser: leaveOutImages(answers),
      },
    ],
  },
  screens: {
    label: 'Desktop vs phone screen',
    name: 'Desktop vs phone screen',
    detail: 'Compares viewport sizes and pixel densities.',
    explainAbsence: needs('viewport'),
    scenarios: () => [{ name: 'Desktop screen' }, { name: 'Phone screen', browser: phone }],
  },
  links: {
    label: 'One link vs another',
    name: 'One link vs another',
    detail: 'Compares emulated links, such as satellite and cable.',
    explainAbsence: ({ testbed }) =>
      testbed === null ? 'Needs a testbed, and no connected host has one: see below.' : null,
    scenarios: ({ links, testbed }) => {
      const [baseline, other] = links.map((link) => ({ name: link, network: { host: testbed!, link } }));
      return [baseline!, other!];
    },
  },
  own: {
    label: 'Something else',
    name: 'Before vs after',
    detail: 'Makes two equal Scenarios. Change one: switches, preferences, TCP, scripts.',
    explainAbsence: () => null,
    scenarios: () => [{ name: 'Before' }, { name: 'After' }],
  },
};

/** The first that is possible with these answers, so that the form shows no error before a choice. */
export function findFirstComparison(answers: ComparisonAnswers): ComparisonKind {
  return comparisonKinds.find((kind) => comparisons[kind].explainAbsence(answers) === null)!;
}

/** What the connected hosts have of a testbed. */
export function findTestbed(agents: readonly AgentSummary[]): Pick<ComparisonAnswers, 'testbed' | 'hasHttpepEnds'> {
  const connected = agents.filter(({ isConnected }) => isConnected);
  return {
    testbed: connected.find(({ facts }) => facts.testbed !== null)?.name ?? null,
    hasHttpepEnds: [httpepEnds.ground.host, httpepEnds.remote.host].every((end) =>
      connected.some(({ name }) => name === end),
    ),
  };
}
