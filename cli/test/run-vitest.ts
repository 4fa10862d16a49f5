import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import { readVitestReport } from './read-vitest-report.ts';
import { runVisibly, type VisibleRun } from './run-visibly.ts';
import type { Tally } from './tally.ts';
import type { VitestKind } from './test-kinds.ts';

export const vitestProgram = path.join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');

/** Runs the tests of one kind. A kind without test files passes with none. */
export async function runVitest(kind: VitestKind, options: VisibleRun): Promise<Tally> {
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-test-'));
  try {
    const reportFile = path.join(folder, 'report.json');
    const args = ['run', '--project', kind, '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const exitCode = await runVisibly([vitestProgram, ...args], options);
    const tally = readVitestReport(kind, JSON.parse(await readReport(reportFile)));
    if (exitCode !== 0 && tally.failures.length === 0) {
      tally.failures.push({ name: kind, message: `vitest ended with ${exitCode ?? 'a signal'}: an error outside of the tests (see above)` });
    }
    return tally;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Vitest writes no report when it finds no test file, or could not start; its exit status tells these apart. */
async function readReport(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '{"testResults":[]}';
  }
}
