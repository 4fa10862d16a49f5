import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { percent } from '#core/comparison/findings/finding-words.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { AssertionVerdict } from '#core/assertion/judge-assertion.ts';
import { describeBound } from '#core/assertion/describe-assertion.ts';
import { absent, formatEstimate, formatReduction } from '../comparison/format-figures.ts';
import type { AssertionResults } from './assertion-results.ts';
import { summariseResults } from './count-results.ts';
import { describeMeasured, nameScenarios } from './describe-result.ts';

const marks: Record<AssertionVerdict, string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  'not-measured': '❌ not measured',
  undecided: '⚪ undecided',
};

/** Results as Markdown for the summary of a job: what was asserted, what was found, and the figures of each Scenario. */
export function formatSummary(results: AssertionResults): string {
  const { run, evaluationName, reportUrl, comparison, judged, problem } = results;
  const counts = comparison === null ? 'the Run did not complete' : summariseResults(judged);
  const lines = [
    `## ${escape(evaluationName)}`,
    '',
    `${counts === '' ? '' : `**${counts}** · `}[Run ${escape(run)}](${encodeURI(reportUrl)})`,
    '',
    ...(problem === null ? [] : [`> ${escape(problem)}`, '']),
    ...(comparison === null ? [] : [...listAssertions(results, comparison), ...describeComparison(comparison)]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function listAssertions({ judged, run }: AssertionResults, { confidence }: Comparison): string[] {
  if (judged.length === 0) return [];
  return [
    ...formatTable(
      ['Result', 'Asserted', 'Scenario', `Measured (${percent(confidence)} % interval)`],
      judged.map((each) => [
        marks[each.verdict],
        `${each.subject}: ${each.figure} ${describeBound(each)}`,
        nameScenarios(each),
        describeMeasured(each),
      ]),
    ),
    ...(judged.some(({ verdict }) => verdict === 'undecided')
      ? [
          `Undecided: the interval is neither wholly within the bound nor wholly outside. More Rounds narrow it: \`./http-ae add-rounds ${run} --wait\`.`,
          '',
        ]
      : []),
  ];
}

function describeComparison(comparison: Comparison): string[] {
  const { metrics, primaryMetric, countedFrom, findings, remarks, roundsCounted, roundsBroken } = comparison;
  const primary = metrics.find(({ metric }) => metric === primaryMetric)!;
  return [
    '### Findings',
    '',
    ...findings.map((finding) => `- ${escape(finding)}`),
    ...(findings.length === 0 ? ['- Only one Scenario: nothing is compared.'] : []),
    '',
    ...formatTable(
      [
        'Scenario',
        ...metrics.map(({ metric }) => `${nameLatency(metric, countedFrom)}, ms`),
        `Reduction of ${nameLatency(primaryMetric, countedFrom).toLowerCase()}`,
        'Visits',
        'Failed',
      ],
      primary.scenarios.map(({ scenario, reduction, visits, failedVisits }) => {
        const isOne = isBaseline(comparison, scenario);
        return [
          isOne ? `${scenario} (baseline)` : scenario,
          ...metrics.map(({ scenarios }) =>
            formatEstimate(scenarios.find((other) => other.scenario === scenario)?.estimate ?? null),
          ),
          isOne ? absent : formatReduction(reduction),
          String(visits),
          String(failedVisits),
        ];
      }),
    ),
    ...(remarks.length === 0 ? [] : ['### Remarks', '', ...remarks.map(({ text }) => `- ${escape(text)}`), '']),
    `${roundsCounted} Rounds counted, ${roundsBroken} broken.`,
  ];
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line), ''];
}

/** Names come from files: none becomes markup, a link or another column. */
function escape(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~@#]/g, '\\$&');
}
