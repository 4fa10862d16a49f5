import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import { runVisibly, type VisibleRun } from './run-visibly.ts';
import { addTallies, type Tally } from './tally.ts';

const checks = [
  { name: 'lint: types (tsc)', command: [path.join('typescript', 'bin', 'tsc')] },
  { name: 'lint: style (eslint)', command: [path.join('eslint', 'bin', 'eslint.js'), '.'] },
];

/** The compiler and the linter, each of which counts as one test. */
export async function runLint(options: VisibleRun): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const { name, command } of checks) {
    const [program, ...args] = command;
    const exitCode = await runVisibly([path.join(packageRoot, 'node_modules', program!), ...args], options);
    tallies.push(exitCode === 0 ? { passed: 1, skipped: 0, failures: [] } : { passed: 0, skipped: 0, failures: [{ name, message: 'see its output above' }] });
  }
  return addTallies(tallies);
}
