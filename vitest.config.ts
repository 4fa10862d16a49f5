import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowEnding } from './cli/test/choose-tests.ts';
import { testVariables } from './cli/test/test-options.ts';
import { fuzzMinutes } from './tests/fuzz/support/fuzz-settings.ts';

/** Quick runs leave slow files out: `./http-ae test --all` sets the variable. */
const isQuick = process.env[testVariables.all] === undefined;
const leftOut = isQuick ? [`**/*${slowEnding}`] : [];

/** Of pages, links and databases: slow tests wait for half of their time, so that four fill two cores. */
const waitingWorkers = isQuick ? 2 : 4;

/** The files of a folder that judge times: a third beside two of them would make them inconclusive. */
const listJudging = (kind: string) =>
  globSync(`tests/${kind}/*${slowEnding}`, { cwd: import.meta.dirname }).filter((file) =>
    readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('judgeTime('),
  );
const judgingPages = listJudging('browser');
const judgingLinks = listJudging('testbed');

interface Needs {
  /** What is made once, before the first test of the kind. */
  setUp?: ('start-test-database' | 'build-test-extension' | 'build-test-web-ui')[];
  /** How many files are run at a time; 1 where tests would change what others measure. */
  maxWorkers: number;
  /** Those of its folder, where it has not all of it. */
  include?: string[];
  exclude?: string[];
  /** Projects that are run together are run in this order. */
  groupOrder?: number;
  /** How many tests of a file that may be run side by side are. */
  sideBySide?: number;
  /** Whether each file has a process of its own. Otherwise they share one for each worker, which saves a third of the time of `unit` and `db`. */
  isolate?: boolean;
}

/** Shorter than the test, so that what was last seen is in the failure. */
const pollTimeoutMs = (timeoutMs: number) => Math.min(30_000, 0.8 * timeoutMs);

/** One project per kind of test, but several for `testbed` and `e2e`; `./http-ae test KIND` runs `vitest --project 'KIND*'`. */
const kind = (
  name: string,
  timeoutMs: number,
  {
    setUp = [],
    maxWorkers,
    include = [`tests/${name}/**/*.test.ts`],
    exclude = [],
    groupOrder = 0,
    sideBySide = 3,
    isolate = true,
  }: Needs,
) => ({
  test: {
    name,
    include,
    exclude: [...exclude, ...leftOut],
    sequence: { groupOrder },
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    maxWorkers,
    isolate,
    maxConcurrency: sideBySide,
    // Of a poll, unless it says otherwise: a busy machine is no fault.
    expect: { poll: { timeout: pollTimeoutMs(timeoutMs) } },
    setupFiles: ['tests/support/set-seed.ts'],
    globalSetup: setUp.map((file) => `tests/support/${file}.ts`),
  },
});

/** Of one target: as long as it may look for faults, and a while for its start and what it keeps. */
const fuzzTimeoutMs = (fuzzMinutes ?? 0) * 60_000 + 300_000;

/** Of what needs the processor only: long, as a machine may do much else. It ends what hangs. */
const cpuTimeoutMs = 120_000;

/** Tests of code without I/O. */
const pure = ['tests/unit/core/**/*.test.ts', 'tests/unit/web-ui/**/*.test.ts'];

/** Of the web UI, one that measures pages. */
const measuring = ['tests/e2e/web-ui/try-url.slow.test.ts'];

const studies = 'tests/e2e/cli/studies.slow.test.ts';

/** What mostly waits, and counts no browsers but its own. */
const besideStudies = ['bad-recordings', 'dev', 'later-firefox', 'site-record', 'up-with-agent'].map(
  (name) => `tests/e2e/cli/${name}${slowEnding}`,
);

/** It makes the machine busy. */
const busyHost = 'tests/e2e/busy-host.slow.test.ts';

const ofTestbed = (...names: string[]) => names.map((name) => `tests/testbed/${name}{,.slow}.test.ts`);

/** Of the testbed, those that make no link. */
const withoutLink = ofTestbed('capture-statistics', 'http-requests', 'launcher', 'odd-traces');

/** Those that count what all testbeds or users of the machine have, whose addresses others use too, or whose bounds leave no room for another testbed. */
const alone = ofTestbed(
  'capture-live',
  'capture-points',
  'causes-over-link',
  'harm-over-link',
  'httpep-rate',
  'isolated-users',
  'leftovers',
  'netem',
  'record-and-replay',
  'replay-elsewhere',
  'same-and-slower',
  'tcp',
  'tcp-variants',
  'testbed-command',
  'user-namespaces',
  'users',
);

/** Slow files that take more than 40 s, the longest first. */
const longest = [
  'studies',
  'large-pages',
  'causes-over-link',
  'hostile-journeys',
  'conformance-failures',
  'firefox-preferences',
  'tcp-pep',
  'examples',
  'public-reports',
  'harm-over-link',
  'origin-in-chromium',
  'real-time-over-link',
  'leftovers',
  'tunnel',
  'hostile-pages',
  'conformance-accuracy',
  'real-time',
  'journey-navigations',
  'viewport-classes',
  'hosts-in-a-run',
  'geo-examples',
  'extension-over-link',
  'hostile-hosts',
  'database-restart',
  'owner-gone',
  'link',
  'background',
  'silent-database',
  'connections',
  'record-and-replay',
  'run-over-link',
  'replay-elsewhere',
  'composed-pages',
  'same-and-slower',
  'httpep-outages',
  'caching-elsewhere',
  'httpep-in-a-run',
  'extension-endurance',
  'crash',
  'extension-of-a-person',
  'firefox-connections',
  'firefox-over-link',
  'lease',
  'full-disk',
].map((name) => `/${name}${slowEnding}`);

/** Begins with the longest files: at the end, nothing waits for one that began late. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((ending) => moduleId.endsWith(ending));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      kind('unit', cpuTimeoutMs, { maxWorkers: 2, exclude: pure, isolate: false }),
      kind('unit-pure', cpuTimeoutMs, { maxWorkers: 2, include: pure, isolate: false }),
      kind('fuzz', fuzzTimeoutMs, { maxWorkers: 1 }),
      kind('calibration', 600_000, { maxWorkers: 1 }),
      kind('db', cpuTimeoutMs, { maxWorkers: waitingWorkers, isolate: false, setUp: ['start-test-database'] }),
      kind('browser', 180_000, {
        maxWorkers: waitingWorkers,
        setUp: ['start-test-database', 'build-test-extension'],
        exclude: judgingPages,
      }),
      kind('browser-judging', 180_000, {
        maxWorkers: 2,
        setUp: ['start-test-database', 'build-test-extension'],
        include: judgingPages,
        groupOrder: 1,
      }),
      kind('testbed-without-link', 300_000, { maxWorkers: 2, include: withoutLink }),
      // These testbeds have links, namespaces and addresses of their own, so two do not meet.
      kind('testbed', 300_000, {
        maxWorkers: waitingWorkers,
        setUp: ['start-test-database', 'build-test-extension'],
        exclude: [...withoutLink, ...judgingLinks, ...alone],
        groupOrder: 1,
      }),
      kind('testbed-judging', 300_000, {
        maxWorkers: 2,
        setUp: ['start-test-database', 'build-test-extension'],
        include: judgingLinks,
        exclude: alone,
        groupOrder: 2,
      }),
      kind('testbed-alone', 300_000, {
        maxWorkers: 1,
        setUp: ['start-test-database'],
        include: alone,
        groupOrder: 3,
      }),
      // Two browsers and their Agents fill two cores.
      kind('e2e-web-ui', 300_000, {
        maxWorkers: 2,
        isolate: false,
        setUp: ['start-test-database', 'build-test-extension', 'build-test-web-ui'],
        include: ['tests/e2e/web-ui/**/*.test.ts'],
        exclude: measuring,
      }),
      // Studies mostly wait for their links: five side by side fill two cores.
      kind('e2e-studies', 300_000, {
        maxWorkers: 2,
        sideBySide: 5,
        setUp: ['start-test-database', 'build-test-extension', 'build-test-web-ui'],
        include: [studies, ...besideStudies],
        groupOrder: 1,
      }),
      kind('e2e', 300_000, {
        maxWorkers: 1,
        setUp: ['start-test-database', 'build-test-extension', 'build-test-web-ui'],
        include: ['tests/e2e/*.test.ts', 'tests/e2e/cli/**/*.test.ts', ...measuring],
        exclude: [studies, ...besideStudies, busyHost],
        groupOrder: 2,
      }),
      // Last, so that nothing else of the run is near it.
      kind('e2e-busy-host', 300_000, {
        maxWorkers: 1,
        setUp: ['start-test-database'],
        include: [busyHost],
        groupOrder: 3,
      }),
    ],
  },
});
