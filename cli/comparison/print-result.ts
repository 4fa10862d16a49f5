import { summariseResults, type JudgedAssertion, type AssertionVerdict } from '#cli/assertions/judge-assertion.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { formatComparison, type CheckedBesides } from './format-comparison.ts';
import { styleText } from 'node:util';
import { formatTable, wantsColour } from './format-table.ts';
import { showPlainly } from '../plain-text.ts';
import { describeMeasured, nameScenarios } from '../assertions/describe-result.ts';

const words: Record<AssertionVerdict, string> = {
  passed: 'passed',
  failed: 'FAILED',
  'not-measured': 'FAILED',
  undecided: 'undecided',
};

export interface RunResult {
  /** The id of the Run. */
  run: string;
  reportUrl: string;
  comparison?: Comparison;
  /** What was asserted of it. */
  assertions?: readonly JudgedAssertion[];
}

/** The result of a command on standard output: for people, or one JSON document. */
export function printResult(
  result: RunResult,
  { isJson, ...besides }: { isJson: boolean } & Partial<CheckedBesides>,
): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ ...result, run: Number(result.run) })}\n`);
    return;
  }
  const { comparison, assertions, reportUrl } = result;
  const isColoured = wantsColour(process.stdout, process.env);
  if (comparison) process.stdout.write(`\n${formatComparison(comparison, { isColoured, ...besides })}\n\n`);
  if (assertions) process.stdout.write(`${formatAssertions(assertions, { isColoured })}\n\n`);
  process.stdout.write(`Report: ${reportUrl}\n`);
}

/** Results for a terminal: a line each. */
export function formatAssertions(judged: readonly JudgedAssertion[], { isColoured }: { isColoured: boolean }): string {
  const title = `Assertions: ${summariseResults(judged)}`;
  return [
    isColoured ? styleText('bold', title, { validateStream: false }) : title,
    ...formatTable(
      judged.map((each) => [
        words[each.verdict],
        showPlainly(each.text),
        showPlainly(nameScenarios(each)),
        describeMeasured(each),
      ]),
    ),
  ].join('\n');
}
