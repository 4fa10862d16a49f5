import { percent } from '#core/comparison/findings/finding-words.ts';
import type { JudgedAssertion } from '#core/assertion/judge-assertion.ts';
import type { AssertionResults } from './assertion-results.ts';
import { explainResult, nameScenarios } from './describe-result.ts';

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
      : [`      <property${attributes({ name: 'confidence', value: `${percent(comparison.confidence)} %` })}/>`]),
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
