import { enginesObeying } from '#core/evaluation/explain-unsupported-settings.ts';
import type { LinkPreset } from '#core/evaluation/link-profile-presets.ts';
import type { Engine } from '#core/evaluation/user-agent.ts';

export const comparisonKinds = ['protocols', 'proxy', 'images', 'screens', 'links', 'own'] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** What the answers say of the Scenarios. */
export interface ComparisonAnswers {
  engine: Engine;
  proxy: string;
  /** The host that holds a testbed, if one is connected. */
  testbed: string | null;
  links: readonly [baseline: LinkPreset, other: LinkPreset];
}

interface ScenarioDraft {
  name: string;
  browser?: Record<string, unknown>;
  network?: { host: string; link: LinkPreset };
}

interface Comparison {
  label: string;
  /** Of the Evaluation that it makes. */
  name: string;
  detail: string;
  /** Why it cannot be had with these answers; null when it can. */
  explainAbsence: (answers: ComparisonAnswers) => string | null;
  scenarios: (answers: ComparisonAnswers) => [baseline: ScenarioDraft, other: ScenarioDraft];
}

const needsOneOf = (engines: readonly Engine[]) => ({ engine }: ComparisonAnswers) => (engines.includes(engine) ? null : `The engine ${engine} cannot be told so.`);
const phone = { viewport: { widthPx: 412, heightPx: 915 }, deviceScaleRatio: 2.625 };

/** The questions that are asked most. Any other is written in the form. */
export const comparisons: Record<ComparisonKind, Comparison> = {
  protocols: {
    label: 'HTTP/1.1 v HTTP/2',
    name: 'HTTP/1.1 v HTTP/2',
    detail: 'Which version of HTTP the browser uses.',
    explainAbsence: needsOneOf(enginesObeying('protocols')),
    scenarios: () => [{ name: 'HTTP/1.1', browser: { protocols: ['http/1.1'] } }, { name: 'HTTP/2' }],
  },
  proxy: {
    label: 'Direct v a proxy',
    name: 'Direct v a proxy',
    detail: 'Whether requests go through a proxy of yours, such as a PEP.',
    explainAbsence: needsOneOf(enginesObeying('proxy')),
    scenarios: ({ proxy }) => [{ name: 'Direct' }, { name: 'Proxy', browser: { proxy } }],
  },
  images: {
    label: 'With v without images',
    name: 'With v without images',
    detail: 'How much of the latency is the images’.',
    explainAbsence: needsOneOf(['chrome', 'firefox']),
    scenarios: ({ engine }) => [
      { name: 'With images' },
      { name: 'Without images', browser: engine === 'firefox' ? { prefs: { 'permissions.default.image': 2 } } : { flags: ['--blink-settings=imagesEnabled=false'] } },
    ],
  },
  screens: {
    label: 'Desktop v phone screen',
    name: 'Desktop v phone screen',
    detail: 'The size of the viewport and its pixels; nothing else of a phone.',
    explainAbsence: needsOneOf(enginesObeying('viewport')),
    scenarios: () => [{ name: 'Desktop screen' }, { name: 'Phone screen', browser: phone }],
  },
  links: {
    label: 'One link v another',
    name: 'One link v another',
    detail: 'Emulated, such as a satellite link and a cable.',
    explainAbsence: ({ testbed }) => (testbed === null ? 'It needs a host that holds a testbed: ./http-ae testbed up' : null),
    scenarios: ({ links, testbed }) => {
      const [baseline, other] = links.map((link) => ({ name: link, network: { host: testbed!, link } }));
      return [baseline!, other!];
    },
  },
  own: {
    label: 'Something else',
    name: 'Before v after',
    detail: 'Two Scenarios alike, for you to tell apart: switches, preferences, TCP, scripts.',
    explainAbsence: () => null,
    scenarios: () => [{ name: 'Before' }, { name: 'After' }],
  },
};

/** The first that can be had with these answers, so that nothing is wrong before anything was chosen. */
export function findFirstComparison(answers: ComparisonAnswers): ComparisonKind {
  return comparisonKinds.find((kind) => comparisons[kind].explainAbsence(answers) === null)!;
}
