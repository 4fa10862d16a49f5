import { stringify } from 'yaml';
import type { UrlEntry } from '#core/evaluation/url-list.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-title.ts';
import { comparisons, type ComparisonAnswers, type ComparisonKind } from './comparisons.ts';

export interface Answers extends ComparisonAnswers {
  kind: ComparisonKind;
  urls: readonly UrlEntry[];
  host: string;
  userCount: number;
  /** Names that other Evaluations have. */
  takenNames: readonly string[];
}

/** The Evaluation that the answers make, as a text to continue with. */
export function writeFirstEvaluation(answers: Answers): string {
  const { kind, urls, host, engine, userCount, takenNames } = answers;
  const { name, scenarios } = comparisons[kind];
  const [{ name: baseline, ...settings }, other] = scenarios(answers);
  const sections = [
    { name: findFreeTitle(name, takenNames) },
    { urlLists: { pages: urls } },
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
