import { writeFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { Assertion } from '#cli/assertions/assertion.ts';
import {
  judgeAssertion,
  statusOfResults,
  summariseResults,
  type JudgedAssertion,
  type AssertionVerdict,
} from '#cli/assertions/judge-assertion.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { type LatencyOrigin, nameLatency } from '#core/metrics/latency-origin.ts';
import { printResult } from '../comparison/print-result.ts';
import type { ControllerClient } from '../controller/controller-client.ts';
import { requireWritable } from '../new-file.ts';
import { followRun } from '../progress/follow-run.ts';
import { showConfidence } from '#core/comparison/findings/finding-words.ts';
import { explainResult, nameScenarios, describeMeasured, describeBound } from './describe-result.ts';
import { isBaseline } from '#core/comparison/compared-group.ts';
import { absent, formatEstimate, showReduction } from '../comparison/format-figures.ts';

const marks: Record<AssertionVerdict, string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  'not-measured': '❌ not measured',
  undecided: '⚪ undecided',
};

export interface ConclusionOptions {
  wait?: true;
  json?: true;
  from?: LatencyOrigin;
  assert: Assertion[];
  failUndecided?: true;
  junit?: string;
  markdown?: string;
}

/** Throws `invalid-input` where an option needs `--wait` or another one, and where a file could not be written, which else were noticed after the Run. */
export async function requireWait(options: ConclusionOptions): Promise<void> {
  const { wait, from, assert, failUndecided, junit, markdown } = options;
  if (!wait) {
    if (from !== undefined)
      throw new AppError('invalid-input', '--from needs --wait: only the comparison has latencies');
    const given = Object.entries({ assert: assert[0], junit, markdown }).find(([, value]) => value !== undefined);
    if (given) throw new AppError('invalid-input', `--${given[0]} needs --wait: it is about the result of the Run`);
  }
  for (const file of [junit, markdown]) if (file !== undefined) await requireWritable(file);
  if (assert.length > 0) return;
  if (junit !== undefined) throw new AppError('invalid-input', '--junit needs --assert: each assertion is a test case');
  if (failUndecided) throw new AppError('invalid-input', '--fail-undecided needs --assert');
}

/**
 * Prints where a Run is reported. With `--wait` it follows the Run to its end, prints the comparison, judges what was asserted, writes the files, and sets the exit status.
 * Files are also written for a Run that does not complete, which is then thrown.
 */
export async function concludeRun(
  client: ControllerClient,
  { run, evaluationName }: { run: string; evaluationName: string },
  { signal, ...options }: ConclusionOptions & { signal: AbortSignal },
): Promise<void> {
  const { wait, from, assert } = options;
  const isJson = options.json === true;
  const reportUrl = client.reportUrl(run);
  if (!wait) {
    printResult({ run, reportUrl }, { isJson });
    return;
  }
  const startedEpochMs = Date.now();
  const conclude = (comparison: Comparison | null, problem: string | null): AssertionResults => ({
    run,
    evaluationName,
    reportUrl,
    comparison,
    problem,
    judged: comparison === null ? [] : assert.flatMap((each) => judgeAssertion(each, comparison)),
    asserted: assert.map(({ text }) => text),
    failsUndecided: options.failUndecided === true,
    startedEpochMs,
    durationMs: Date.now() - startedEpochMs,
  });

  let comparison: Comparison;
  try {
    comparison = await followRun(client, run, { stream: process.stderr, signal, from });
  } catch (error) {
    if (error instanceof AppError && error.code === 'run-failed')
      await writeResults(conclude(null, error.message), options);
    throw error;
  }
  const results = conclude(comparison, null);
  const { judged, failsUndecided } = results;
  printResult(
    { run, reportUrl, comparison, ...(assert.length > 0 && { assertions: judged }) },
    { isJson, ...(await client.readCheckedBesides(run)) },
  );
  process.exitCode = statusOfResults(judged, failsUndecided);
  await writeResults(results, options);
}

async function writeResults(
  results: AssertionResults,
  { junit, markdown }: Pick<ConclusionOptions, 'junit' | 'markdown'>,
): Promise<void> {
  if (junit !== undefined) await write(junit, formatJunit(results));
  if (markdown !== undefined) await write(markdown, formatSummary(results));
}

async function write(file: string, text: string): Promise<void> {
  // In GitHub Actions, all commands of a step add to one summary.
  const flag = file === process.env['GITHUB_STEP_SUMMARY'] ? 'a' : 'w';
  try {
    await writeFile(file, text, { flag });
  } catch (cause) {
    throw new AppError('internal', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Results as JUnit XML, in the form that GitHub's actions, GitLab and Jenkins read: one suite, one case for each assertion and Scenario. What is undecided is a
 * skipped case, so that it is neither green nor red, or a failure if that was asked for. A Run that did not complete is an error of each assertion.
 */
export function formatJunit(results: AssertionResults): string {
  const { run, evaluationName, reportUrl, comparison, judged, startedEpochMs, durationMs } = results;
  const cases = comparison === null ? listErrors(results) : judged.map((each) => formatCase(each, results));
  const count = (element: string) => cases.filter(({ body }) => body.includes(`<${element} `)).length;
  const counts = { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
  const time = (durationMs / 1000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'HTTP-AE', ...counts, time })}>`,
    `  <testsuite${attributes({ name: evaluationName, ...counts, time, timestamp: new Date(startedEpochMs).toISOString().slice(0, 19) })}>`,
    '    <properties>',
    `      <property${attributes({ name: 'run', value: run })}/>`,
    `      <property${attributes({ name: 'report', value: reportUrl })}/>`,
    ...(comparison === null
      ? []
      : [`      <property${attributes({ name: 'confidence', value: showConfidence(comparison.confidence) })}/>`]),
    '    </properties>',
    ...cases.flatMap(({ name, body }) => {
      const start = `    <testcase${attributes({ classname: evaluationName, name, time: '0' })}`;
      return body === '' ? [`${start}/>`] : [`${start}>`, `      ${body}`, '    </testcase>'];
    }),
    `    <system-out>${escapeXml(`Report: ${reportUrl}`)}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

interface Case {
  name: string;
  /** Empty for a case that passed. */
  body: string;
}

function formatCase(judged: JudgedAssertion, { run, reportUrl, failsUndecided }: AssertionResults): Case {
  const name = `${judged.text} (${nameScenarios(judged)})`;
  const message = explainResult(judged, run);
  const { verdict } = judged;
  if (verdict === 'passed') return { name, body: '' };
  if (verdict === 'undecided' && !failsUndecided) return { name, body: `<skipped${attributes({ message })}/>` };
  return {
    name,
    body: `<failure${attributes({ message, type: verdict })}>${escapeXml(`${message}\n${reportUrl}`)}</failure>`,
  };
}

function listErrors({ asserted, problem }: AssertionResults): Case[] {
  const message = problem ?? 'The Run did not complete';
  return asserted.map((name) => ({
    name,
    body: `<error${attributes({ message, type: 'run-failed' })}>${escapeXml(message)}</error>`,
  }));
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

/** XML 1.0 has no way to write control characters and halves of surrogate pairs. A line break of an attribute is written so that it stays one. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}

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
      ['Result', 'Asserted', 'Scenario', `Measured (${showConfidence(confidence)} interval)`],
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
          isOne ? absent : showReduction(reduction),
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

/** What a Run gave, for reports that other programs read. */
export interface AssertionResults {
  /** The id of the Run. */
  run: string;
  evaluationName: string;
  reportUrl: string;
  /** Null where the Run did not complete. */
  comparison: Comparison | null;
  /** Why it did not; null where it did. */
  problem: string | null;
  /** Empty where the Run did not complete. */
  judged: readonly JudgedAssertion[];
  /** The assertions as they were written: each has one or more of `judged`. */
  asserted: readonly string[];
  /** An undecided assertion is a failure. */
  failsUndecided: boolean;
  startedEpochMs: number;
  durationMs: number;
}
