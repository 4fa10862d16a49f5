import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import { runVisibly, type VisibleRun } from './run-visibly.ts';
import { addTallies, type Tally } from './tally.ts';

/** Types come from the linter too: it has built the program already (`typeCheck` in .oxlintrc.json). */
const checks = [
  { name: 'lint: types and style (oxlint)', command: [path.join('oxlint', 'bin', 'oxlint')] },
  {
    name: 'lint: format (prettier)',
    command: [
      path.join('prettier', 'bin', 'prettier.cjs'),
      ...['--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content', '.'],
    ],
  },
];

/** The linter and the formatter at the same time. Each counts as one test. */
export async function runLint(options: VisibleRun): Promise<Tally> {
  return addTallies(await Promise.all(checks.map((check) => runCheck(check, options))));
}

async function runCheck(
  { name, command: [program, ...args] }: (typeof checks)[number],
  options: VisibleRun,
): Promise<Tally> {
  const startMs = performance.now();
  const exitCode = await runVisibly([path.join(packageRoot, 'node_modules', program!), ...args], options);
  const times = [{ name, tookMs: performance.now() - startMs }];
  return exitCode === 0
    ? { passed: 1, skipped: 0, failures: [], times }
    : { passed: 0, skipped: 0, failures: [{ name, message: 'see its output above' }], times };
}
