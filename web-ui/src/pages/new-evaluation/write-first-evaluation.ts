import { stringify } from 'yaml';
import type { UrlEntry } from '#core/evaluation/pages/url-list.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-title.ts';
import type { HostOrigin } from '#core/protocol/host-origin.ts';
import { comparisons, type ComparisonAnswers, type ComparisonKind, type ScenarioDraft } from './comparisons.ts';
import { nameTestPages, needsOriginKey } from './test-pages.ts';

export interface Answers extends ComparisonAnswers {
  kind: ComparisonKind;
  urls: readonly UrlEntry[];
  host: string;
  /** The origin beside the Agent of the host, if any. */
  origin: HostOrigin | null;
  userCount: number;
  /** Names that other Evaluations have. */
  takenNames: readonly string[];
}

/** The Evaluation that the answers make, as a text to continue with. */
export function writeFirstEvaluation(answers: Answers): string {
  const { kind, urls, host, origin, engine, userCount, takenNames } = answers;
  const { name, scenarios } = comparisons[kind];
  const trust = (scenario: ScenarioDraft) =>
    origin !== null && needsOriginKey(urls, origin)
      ? { ...scenario, browser: { ...scenario.browser, trustedKeys: [origin.trustedKey] } }
      : scenario;
  const [{ name: baseline, ...settings }, other] = scenarios(answers).map(trust) as [ScenarioDraft, ScenarioDraft];
  const sections = [
    { name: findFreeTitle(name, takenNames) },
    { urlLists: { pages: origin === null ? urls : nameTestPages(urls, origin) } },
    { scenarios: [{ name: baseline, baseline: true, ...settings }, other] },
    {
      userAgents: Array.from({ length: userCount }, (_, index) => ({
        name: `User ${index + 1}`,
        host,
        engine,
        urlList: 'pages',
      })),
    },
    { repetition: { rounds: 5 } },
  ];
  return sections.map((section) => stringify(section, { lineWidth: 0 })).join('\n');
}
