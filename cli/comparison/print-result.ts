import type { Comparison } from '#core/comparison/comparison.ts';
import { formatComparison } from './format-comparison.ts';
import { wantsColour } from './wants-colour.ts';

export interface RunResult {
  /** The id of the Run. */
  run: string;
  reportUrl: string;
  comparison?: Comparison;
}

/** The result of a command on standard output: for people, or one JSON document. */
export function printResult(result: RunResult, { isJson }: { isJson: boolean }): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ ...result, run: Number(result.run) })}\n`);
    return;
  }
  const { comparison, reportUrl } = result;
  if (comparison)
    process.stdout.write(
      `\n${formatComparison(comparison, { isColoured: wantsColour(process.stdout, process.env) })}\n\n`,
    );
  process.stdout.write(`Report: ${reportUrl}\n`);
}
