import { writeFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { Assertion } from '#core/assertion/assertion.ts';
import { judgeAssertion } from '#core/assertion/judge-assertion.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { printResult } from '../comparison/print-result.ts';
import type { ControllerClient } from '../controller/controller-client.ts';
import { followRun } from '../progress/follow-run.ts';
import type { AssertionResults } from './assertion-results.ts';
import { statusOfResults } from './count-results.ts';
import { formatJunit } from './format-junit.ts';
import { formatSummary } from './format-summary.ts';

export interface ConclusionOptions {
  wait?: true;
  json?: true;
  from?: LatencyOrigin;
  assert: Assertion[];
  failUndecided?: true;
  junit?: string;
  markdown?: string;
}

/** Throws `invalid-input` where an option needs `--wait` or another one. */
export function requireWait({ wait, from, assert, failUndecided, junit, markdown }: ConclusionOptions): void {
  if (!wait) {
    if (from !== undefined)
      throw new AppError('invalid-input', '--from needs --wait: only the comparison has latencies');
    const given = Object.entries({ assert: assert[0], junit, markdown }).find(([, value]) => value !== undefined);
    if (given) throw new AppError('invalid-input', `--${given[0]} needs --wait: it is about the result of the Run`);
  }
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
  await writeResults(results, options);
  printResult({ run, reportUrl, comparison, ...(assert.length > 0 && { assertions: judged }) }, { isJson });
  process.exitCode = statusOfResults(judged, failsUndecided);
}

async function writeResults(
  results: AssertionResults,
  { junit, markdown }: Pick<ConclusionOptions, 'junit' | 'markdown'>,
): Promise<void> {
  if (junit !== undefined) await write(junit, formatJunit(results));
  if (markdown !== undefined) await write(markdown, formatSummary(results));
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new AppError('internal', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}
