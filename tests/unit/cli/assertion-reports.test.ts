import { expect, test } from 'vitest';
import { formatAssertions } from '#cli/comparison/print-result.ts';
import { formatJunit, formatSummary, type AssertionResults } from '#cli/assertions/conclude-run.ts';
import { judgeAssertion, countResults, statusOfResults, summariseResults } from '#cli/assertions/judge-assertion.ts';
import { readAssertion } from '#cli/assertions/read-assertion.ts';
import { compareTwo } from './assertions/support/compare-two.ts';
import { renderDocument } from '#web-ui/vite.config.ts';

const hostile = 'A & B <script>|`x`\u0007 ]]> "q"';
const msOf = (scenario: string, block: number) => (scenario === 'proxy' ? 800 : 1000) + 20 * Math.sin(block * 7);

function resultsOf(texts: readonly string[], changes: Partial<AssertionResults> = {}): AssertionResults {
  const comparison = compareTwo(msOf, { name: hostile.replace('\u0007', '') });
  return {
    run: '7',
    evaluationName: hostile,
    reportUrl: 'http://controller.test/runs/7/comparison',
    comparison,
    problem: null,
    judged: texts.flatMap((text) => judgeAssertion(readAssertion(text), comparison)),
    asserted: texts,
    failsUndecided: false,
    startedEpochMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    durationMs: 61_500,
    ...changes,
  };
}

const three = ['totalMs: reduction > 10%', 'totalMs: reduction > 30%', 'totalMs: reduction > 20%'];

test('a failure decides the exit status, then what is undecided, where that is asked for', () => {
  const statusOf = (texts: string[], fails = false) => statusOfResults(resultsOf(texts).judged, fails);
  expect(statusOf(three)).toBe(3);
  expect(statusOf(three, true)).toBe(3);
  expect(statusOf([three[0]!, three[2]!])).toBe(0);
  expect(statusOf([three[0]!, three[2]!], true)).toBe(4);
  expect(statusOf([three[0]!], true)).toBe(0);
});

test('what was not measured has failed, and a summary leaves out what there is none of', () => {
  const [judged] = resultsOf(three).judged;
  const as = (verdict: 'passed' | 'failed' | 'undecided' | 'not-measured') => ({ ...judged!, verdict });
  const all = (['passed', 'failed', 'not-measured', 'undecided'] as const).map(as);
  expect(countResults(all)).toEqual({ passed: 1, failed: 2, undecided: 1 });
  expect(summariseResults(all)).toBe('1 passed, 2 failed, 1 undecided');
  expect(summariseResults([as('passed'), as('passed')])).toBe('2 passed');
  expect(statusOfResults([as('passed'), as('not-measured')], false)).toBe(3);
});

test('JUnit has a case for each assertion; what is undecided is skipped, or a failure', () => {
  const junit = formatJunit(resultsOf(three));
  const counts = 'tests="3" failures="1" errors="0" skipped="1" time="61.500"';
  expect(junit).toContain(`<testsuites name="HTTP-AE" ${counts}>`);
  expect(junit).toContain(`${counts} timestamp="2026-01-02T03:04:05">`);
  expect(junit).toContain('name="totalMs: reduction &gt; 10% (proxy vs direct)" time="0"/>');
  expect(junit).toMatch(/<failure message="Failed: measured 2\d\.\d+ % \(.*\), asserted &gt; 30 %\." type="failed">/);
  expect(junit).toMatch(/<skipped message="Undecided: .*add-rounds 7 --wait"\/>/);
  expect(formatJunit(resultsOf(three, { failsUndecided: true }))).toContain('failures="2" errors="0" skipped="0"');
});

test('a Run that did not complete is an error of each assertion', () => {
  const failed = { comparison: null, judged: [], problem: 'Run 7 failed: a host is gone\nfor good' };
  const junit = formatJunit(resultsOf(three, failed));
  expect(junit).toContain('tests="3" failures="0" errors="3" skipped="0"');
  expect(junit).toContain('<error message="Run 7 failed: a host is gone&#10;for good" type="run-failed">');
  expect(formatSummary(resultsOf(three, failed))).toContain('> Run 7 failed: a host is gone for good');
});

test('names of Evaluations are text in XML and in Markdown', () => {
  const junit = formatJunit(resultsOf(three));
  expect(junit).toContain('classname="A &amp; B &lt;script&gt;|`x`\uFFFD ]]&gt; &quot;q&quot;"');
  const { html } = renderDocument(`# x\n\n${formatSummary(resultsOf(three))}`, 'docs/x.md');
  expect(html).toContain('A &amp; B &lt;script&gt;|`x` ]]&gt; &quot;q&quot;</h2>');
  expect(html.match(/<tr>/g)).toHaveLength(1 + 3 + 1 + 2);
  expect(html).toContain('<td>✅ passed</td>');
  expect(html).toContain('<a href="http://controller.test/runs/7/comparison"');
});

test('the terminal has a line for each', () => {
  const [title, ...lines] = formatAssertions(resultsOf(three).judged, { isColoured: false }).split('\n');
  expect(title).toBe('Assertions: 1 passed, 1 failed, 1 undecided');
  expect(lines[1]).toMatch(/^FAILED +totalMs: reduction > 30% +proxy vs direct +2\d\.\d+ % \(.+\)$/);
});
