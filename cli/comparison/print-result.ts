import type { JudgedAssertion } from '#core/assertion/judge-assertion.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { formatAssertions } from '../assertions/format-assertions.ts';
import { formatComparison } from './format-comparison.ts';
import { wantsColour } from './wants-colour.ts';

export interface RunResult {
  /** The id of the Run. */
  run: string;
  reportUrl: string;
  comparison?: Comparison;
  /** What was asserted of it. */
  assertions?: readonly JudgedAssertion[];
}

/** The result of a command on standard output: for people, or one JSON document. */
export function printResult(result: RunResult, { isJson }: { isJson: boolean }): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ ...result, run: Number(result.run) })}\n`);
    return;
  }
  const { comparison, assertions, reportUrl } = result;
  const isColoured = wantsColour(process.stdout, process.env);
  if (comparison) process.stdout.write(`\n${formatComparison(comparison, { isColoured })}\n\n`);
  if (assertions) process.stdout.write(`${formatAssertions(assertions, { isColoured })}\n\n`);
  process.stdout.write(`Report: ${reportUrl}\n`);
}
