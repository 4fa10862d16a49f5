import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../installation.ts';
import { runProgram } from '../run-program.ts';
import { type TestChoice, slowEnding, type VitestKind } from './choose-tests.ts';
import type { Tally, TestFailure } from './tally.ts';
import { testVariables } from './test-options.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface VisibleRun {
  environment: NodeJS.ProcessEnv;
  /** The descriptor that its standard output goes to: 1, or 2 where standard output is kept for a JSON document. */
  outputDescriptor: 1 | 2;
  signal: AbortSignal;
}

const endWithinMs = 10_000;

const sampleEveryMs = 2_000;
/** Longer than the slice of time that a scheduler gives at once, so that it waits where others want the processor. */
const sampleCpuUs = 20_000;

/** A quick file that takes longer, on a machine with nothing else to do, fails the run: quick tests are worth having only while they are quick. */
const quickFileMs = 25_000;

const vitestProgram = path.join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');

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
    const endWatch = watchSlowdown();
    const exitCode = await runVisibly([vitestProgram, ...args], options);
    const slowdown = endWatch();
    const tally = readVitestReport(kind, JSON.parse(await readReport(reportFile)));
    // Minutes of fuzzing are there to be used.
    const { [testVariables.all]: all, [testVariables.fuzzMinutes]: minutes } = options.environment;
    if (all === undefined && minutes === undefined) tally.failures.push(...findSlowFiles(tally, slowdown));
    tally.failures.push(...explainExit(kind, { exitCode, failures: tally.failures }));
    return tally;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What failed where vitest failed and no test did. */
export function explainExit(
  kind: VitestKind,
  { exitCode, failures }: { exitCode: number | null; failures: readonly TestFailure[] },
): TestFailure[] {
  if (exitCode === 0 || failures.length > 0) return [];
  const message = `vitest ended with ${exitCode ?? 'a signal'}: an error outside of the tests (see above)`;
  return [{ name: kind, message }];
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

/** What vitest's JSON reporter writes, as far as it is read here. */
const VitestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** A test that neither passed nor failed counts as skipped; a file that failed without a failing test is a failure of its own. */
export function readVitestReport(kind: string, report: unknown): Tally {
  const tally: Tally = { passed: 0, skipped: 0, failures: [], times: [] };
  for (const file of VitestReportSchema.parse(report).testResults) {
    const place = `${kind}: ${path.relative(packageRoot, file.name)}`;
    const failures: TestFailure[] = [];
    for (const { fullName, status, failureMessages } of file.assertionResults) {
      if (status === 'passed') tally.passed += 1;
      else if (status === 'failed')
        failures.push({ name: `${place}: ${fullName}`, message: (failureMessages ?? []).join('\n') });
      else tally.skipped += 1;
    }
    if (file.status === 'failed' && failures.length === 0)
      failures.push({ name: place, message: file.message || 'the file could not be run' });
    tally.failures.push(...failures);
    tally.times.push({ name: place, tookMs: file.endTime - file.startTime });
  }
  return tally;
}

/** Quick files that are not quick, each as a failure. A machine that takes `slowdown` times as long is no fault of theirs. */
export function findSlowFiles({ times }: Pick<Tally, 'times'>, slowdown: number): TestFailure[] {
  return times
    .filter(({ tookMs }) => tookMs / slowdown > quickFileMs)
    .map(({ name, tookMs }) => ({
      name,
      message: `took ${(tookMs / 1000).toFixed(1)} s, more than the ${quickFileMs / 1000} s of a quick file (the machine was slowed down ${slowdown.toFixed(1)} times): split it, or rename it to …${slowEnding}`,
    }));
}

/** Counts, without running them, the tests of a kind that cannot run on this machine. */
export async function skipKind(kind: VitestKind, { environment, signal }: VisibleRun): Promise<Tally> {
  const args = [vitestProgram, 'list', '--project', `${kind}*`, '--json', '--root', packageRoot];
  const { output } = await runProgram(process.execPath, args, { environment, signal });
  const tests = z.array(z.object({ name: z.string() })).parse(JSON.parse(output.slice(output.indexOf('['))));
  return { passed: 0, skipped: tests.length, failures: [], times: [] };
}

/**
 * Watches how many times as long this machine takes as it would without other programs: the wall-clock time of a piece of work over its processor time.
 * The returned function ends the watch, and gives the mean, at least 1.
 */
function watchSlowdown(): () => number {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(sampleSlowdown()), sampleEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    samples.push(sampleSlowdown());
    return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  };
}

function sampleSlowdown(): number {
  const startMs = performance.now();
  const start = process.threadCpuUsage();
  const usedUs = () => {
    const { user, system } = process.threadCpuUsage(start);
    return user + system;
  };
  while (usedUs() < sampleCpuUs);
  return Math.max(1, (1000 * (performance.now() - startMs)) / usedUs());
}

/** Runs a Node program in the package's folder, its output shown as it comes. Returns its exit status, null after a signal. */
export async function runVisibly(
  command: string[],
  { environment, outputDescriptor, signal }: VisibleRun,
): Promise<number | null> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, command, {
    cwd: packageRoot,
    env: environment,
    stdio: ['ignore', outputDescriptor, 2],
  });
  let overdue: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    overdue = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    signal.throwIfAborted();
    return exitCode;
  } finally {
    clearTimeout(overdue);
    signal.removeEventListener('abort', end);
  }
}
