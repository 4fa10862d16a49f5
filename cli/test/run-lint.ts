import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import { runVisibly, type VisibleRun } from './run-visibly.ts';
import { addTallies, type Tally } from './tally.ts';

const checks = [
  { name: 'lint: types (tsc)', command: [path.join('typescript', 'bin', 'tsc')] },
  { name: 'lint: style (eslint)', command: [path.join('eslint', 'bin', 'eslint.js'), '.'] },
  {
    name: 'lint: format (prettier)',
    command: [path.join('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  },
];

/** The compiler, the linter and the formatter at the same time. Each counts as one test. */
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
