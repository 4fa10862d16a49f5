import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import type { TestChoice } from './choose-tests.ts';
import { readVitestReport } from './read-vitest-report.ts';
import { runVisibly, type VisibleRun } from './run-visibly.ts';
import type { Tally } from './tally.ts';
import type { VitestKind } from './test-kinds.ts';

export const vitestProgram = path.join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');

/** Which tests of the kind. */
export type VitestChoice = Pick<TestChoice, 'files' | 'words'>;

/** Runs tests of one kind. A kind without test files passes with none. */
export async function runVitest(
  kind: VitestKind,
  { files, words, ...options }: VisibleRun & VitestChoice,
): Promise<Tally> {
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-test-'));
  try {
    const reportFile = path.join(folder, 'report.json');
    const args = [
      'run',
      '--project',
      `${kind}*`,
      ...nameChoice({ files, words }),
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ];
    const exitCode = await runVisibly([vitestProgram, ...args], options);
    const tally = readVitestReport(kind, JSON.parse(await readReport(reportFile)));
    if (exitCode !== 0 && tally.failures.length === 0) {
      tally.failures.push({
        name: kind,
        message: `vitest ended with ${exitCode ?? 'a signal'}: an error outside of the tests (see above)`,
      });
    }
    return tally;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs tests of one kind, and again after each change, until the signal. */
export async function watchVitest(
  kind: VitestKind,
  { files, words, ...options }: VisibleRun & VitestChoice,
): Promise<void> {
  await runVisibly([vitestProgram, 'watch', '--project', `${kind}*`, ...nameChoice({ files, words })], options);
}

function nameChoice({ files, words }: VitestChoice): string[] {
  return [...files, ...(words === '' ? [] : ['--testNamePattern', words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')])];
}

/** Vitest writes no report when it finds no test file, or could not start; its exit status distinguishes these. */
async function readReport(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '{"testResults":[]}';
  }
}
