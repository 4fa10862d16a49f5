import { styleText } from 'node:util';
import type { AssertionVerdict, JudgedAssertion } from '#core/assertion/judge-assertion.ts';
import { formatTable } from '../comparison/format-table.ts';
import { showPlainly } from '../show-plainly.ts';
import { describeMeasured, nameScenarios } from './describe-result.ts';
import { summariseResults } from './count-results.ts';

const words: Record<AssertionVerdict, string> = {
  passed: 'passed',
  failed: 'FAILED',
  'not-measured': 'FAILED',
  undecided: 'undecided',
};

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
