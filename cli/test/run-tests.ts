import { fork } from 'node:child_process';
import { once } from 'node:events';
import { AppError } from '#core/app-error.ts';
import { pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { chromeKind, firefoxKind, type BrowserKind } from '../browser-kinds.ts';
import { findBrowser } from '../find-browser.ts';
import { findTestbedObstacle } from '../testbed/find-testbed-obstacle.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { type TestChoice, groupKinds, type TestKind } from './choose-tests.ts';
import { prepareAnalysis, prepareHttp3, prepareProxies, prepareReferences } from './prepare-references.ts';
import { runVitest, skipKind, watchVitest, type VisibleRun, runVisibly } from './run-vitest.ts';
import { addTallies, describeTimes, summarize, type Tally, type TestTime } from './tally.ts';
import { chooseSeed, describeToTests, type TestOptions } from './test-options.ts';
import path from 'node:path';
import { packageRoot, findHome } from '../installation.ts';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { runProgram } from '../run-program.ts';

/** What reads exported files in tests, beside HTTP-AE, and a server of the S3 API. Versions are fixed: a new one is a change of ours. */
const packages = ['duckdb==2.0.1', 'moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'];

/** Types come from the linter too: it has built the program already (`typeCheck` in .oxlintrc.json). */
const checks = [
  { name: 'lint: types and style (oxlint)', command: [path.join('oxlint', 'bin', 'oxlint')] },
  { name: 'lint: format (oxfmt)', command: [path.join('oxfmt', 'bin', 'oxfmt'), '--check', '.'] },
];

const needBrowser: TestKind[] = ['browser', 'testbed', 'e2e'];
const useFirefox: TestKind[] = ['browser', 'testbed', 'e2e'];
const useDatabase: TestKind[] = ['db', 'browser', 'testbed', 'e2e'];

/** Runs those tests, kind after kind, and sums up. The exit status is 1 when a test failed or none was run. */
export async function runTests({ kinds, files, words }: TestChoice, options: TestOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const seed = chooseSeed(options);
  say(`Random inputs have the seed ${seed}`);
  const chrome = kinds.some((kind) => needBrowser.includes(kind))
    ? await findBrowserIfAny(chromeKind, { say, signal })
    : null;
  const firefox = kinds.some((kind) => useFirefox.includes(kind))
    ? await findBrowserIfAny(firefoxKind, { say, signal })
    : null;
  const run: VisibleRun = {
    environment: {
      ...process.env,
      ...describeToTests(options, seed),
      PATH: pathWithTools(process.env),
      ...(chrome && { HTTP_AE_CHROME: chrome }),
      ...(firefox ? { HTTP_AE_FIREFOX: firefox } : { HTTP_AE_TEST_WITHOUT_FIREFOX: '1' }),
    },
    outputDescriptor: options.json ? 2 : 1,
    signal,
  };

  if (firefox === null && kinds.some((kind) => useFirefox.includes(kind)))
    say('SKIPPED: the tests in Firefox: install firefox-esr');
  const tallies: Tally[] = [];
  const kindTimes: TestTime[] = [];
  const runKind = async (kind: TestKind): Promise<void> => {
    const startMs = performance.now();
    if (options.all) await prepareSlow(kind, { say, signal });
    const obstacle =
      kind === 'testbed'
        ? ((await findTestbedObstacle({ say, signal })) ??
          (options.all ? await prepareReferences({ say, signal }) : null))
        : findObstacle(kind, { hasBrowser: chrome !== null });
    if (kind === 'lint') tallies.push(await runLint(run));
    else if (obstacle === null && options.watch) {
      await watchVitest(kind, { ...run, files, words });
    } else if (obstacle === null) tallies.push(await runVitest(kind, { ...run, files, words }));
    else {
      say(`SKIPPED: the tests of kind "${kind}" cannot run here: ${obstacle}`);
      tallies.push(await skipKind(kind, run));
    }
    kindTimes.push({ name: kind, tookMs: performance.now() - startMs });
  };
  const startMs = performance.now();
  await using cleanUp = new AsyncDisposableStack();
  let isDatabaseShared = kinds.filter((kind) => useDatabase.includes(kind)).length < 2;
  for (const together of groupKinds(kinds)) {
    say(`\n── ${together.flat().join(', ')} ──`);
    if (!isDatabaseShared && together.flat().some((kind) => useDatabase.includes(kind))) {
      isDatabaseShared = true;
      run.environment.HTTP_AE_TEST_SERVER_URL = cleanUp.use(await serveTestDatabase(signal)).url;
    }
    await Promise.all(
      together.map(async (lane) => {
        for (const kind of lane) await runKind(kind);
      }),
    );
  }
  if (options.watch) return;
  const total = addTallies(tallies);
  say(`\n${describeTimes({ kinds: kindTimes, files: total.times, totalMs: performance.now() - startMs })}`);
  report(total, { isJson: options.json === true, say });
}

async function findBrowserIfAny(
  kind: BrowserKind,
  { say, signal }: { say: (line: string) => void; signal: AbortSignal },
): Promise<string | null> {
  const { env: environment, platform } = process;
  try {
    return await findBrowser({ environment, platform, homeFolder: findHome(environment), say, signal }, kind);
  } catch (error) {
    if (!(error instanceof AppError) || environment[kind.variable]) throw error;
    say(error.message);
    return null;
  }
}

/** Brings the programs that only slow tests of a kind run. Says what is missing all the same. */
async function prepareSlow(
  kind: TestKind,
  progress: { say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  if (kind === 'db') {
    await prepareAnalysis(progress);
    await preparePython(progress);
  }
  if (kind === 'e2e') await prepareProxies(progress);
  if (kind === 'browser' || kind === 'testbed') await prepareHttp3(progress);
}

/** Why the tests of a kind cannot run on this machine, if so. */
function findObstacle(kind: TestKind, { hasBrowser }: { hasBrowser: boolean }): string | null {
  return needBrowser.includes(kind) && !hasBrowser ? 'no browser: install chromium' : null;
}

function report(total: Tally, { isJson, say }: { isJson: boolean; say: (line: string) => void }): void {
  for (const { name, message } of total.failures) say(`\nFAILED ${name}\n${message}`);
  if (total.skipped > 0) say(`\n${total.skipped} tests were SKIPPED (see above)`);
  const isNoneRun = total.passed + total.failures.length === 0;
  if (isNoneRun) say('\nNo test was run');

  if (isJson) {
    const { passed, skipped, failures } = total;
    process.stdout.write(`${JSON.stringify({ passed, failed: failures.length, skipped, failures })}\n`);
  } else {
    process.stdout.write(`${summarize(total)}\n`);
  }
  if (total.failures.length > 0 || isNoneRun) process.exitCode = 1;
}

/** The linter and the formatter at the same time. Each counts as one test. */
async function runLint(options: VisibleRun): Promise<Tally> {
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

/** Where these packages are: a folder for PYTHONPATH, with the name of what it holds. */
export function findTestPython(environment: NodeJS.ProcessEnv): string {
  return path.join(findHome(environment), 'test-python', packages.join('+'));
}

/** Brings the packages of Python that the `db` tests use; says what is left out where they cannot be had. */
async function preparePython({ say, signal }: { say: (line: string) => void; signal: AbortSignal }): Promise<void> {
  const folder = findTestPython(process.env);
  if (existsSync(folder)) return;
  say(`Installing ${packages.join(' and ')} with pip`);
  // An interrupted installation is not taken for a complete one.
  const draft = `${folder}.part`;
  try {
    await rm(draft, { recursive: true, force: true });
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', draft, ...packages];
    const { exitCode, output } = await runProgram('python3', args, { signal });
    if (exitCode !== 0) throw new Error(output.trim().slice(-300));
    await rename(draft, folder);
  } catch (error) {
    signal.throwIfAborted();
    say(`SKIPPED: the tests that need ${packages.join(' or ')}: ${(error as Error).message}`);
  }
}

const program = path.join(packageRoot, 'tests', 'support', 'serve-test-database.ts');

/** Starts one PostgreSQL for several kinds of tests, in a process that stops it when disposed of, or when this one is gone. */
async function serveTestDatabase(signal: AbortSignal): Promise<{ url: string } & AsyncDisposable> {
  signal.throwIfAborted();
  const child = fork(program, { cwd: packageRoot, stdio: ['ignore', 2, 2, 'ipc'] });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const first = await Promise.race([
    once(child, 'message').then(([url]: unknown[]) => ({ url })),
    ended.then(([exitCode]) => ({ exitCode })),
  ]);
  if (!('url' in first))
    throw new AppError(
      'internal',
      `PostgreSQL for the tests did not start (exit status ${first.exitCode ?? 'none'}): see above`,
    );
  return {
    url: String(first.url),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
