import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { findHome } from '#cli/find-home.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit.ts';
import { readMedian, readQuantile } from './support/read-quantile.ts';
import { startOriginProcess, type OriginProcess } from './support/start-origin-process.ts';

/**
 * The same pages with browsertime from npm and with the chrome engine, one iteration of each in turn, in the same browser:
 * `node bench/browsertime.ts [ITERATIONS]`. Needs chromedriver on the PATH (Debian: chromium-driver). What each calls the end of the load is held
 * against the origin: last byte of the last object − arrival of the first request. Both cold, both without video; browsertime in a new browser for each
 * iteration, as it always works, the engine in a new context of one browser.
 */
const iterations = Number(process.argv[2] ?? 10);
const version = '26.3.2';

const ResultSchema = z.array(
  z.object({
    fullyLoaded: z.array(z.number()),
    browserScripts: z.array(z.object({ timings: z.object({ pageTimings: z.object({ pageLoadTime: z.number() }), navigationTiming: z.object({ requestStart: z.number() }) }) })),
  }),
);

interface Measured {
  loadEventMs: number;
  /** What the tool calls the end of the load, from the first request. */
  endMs: number;
  truthMs: number;
  seconds: number;
}

const browsertime = await installBrowsertime();
await using origin = await startOriginProcess();
await using session = await openSession({ browser: { trustedKeys: [origin.trustedKey] } });

for (const page of ['/images/10?', '/hard-cases?']) {
  const own: Measured[] = [];
  const theirs: Measured[] = [];
  for (let iteration = 0; iteration < iterations; iteration++) {
    const name = `${page.replace(/\W/g, '')}-${iteration}`;
    theirs.push(await measureWithBrowsertime(origin, `${page}visit=b-${name}`, `b-${name}`));
    own.push(await measureWithEngine(origin, `${page}visit=h-${name}`, `h-${name}`));
  }
  console.log(`\n${page.slice(0, -1)}: ${iterations} cold loads with each, in turn`);
  console.table({ 'HTTP-AE total': describe(own), [`browsertime ${version} fullyLoaded`]: describe(theirs) });
  const ratio = readMedian(theirs.map(({ seconds }) => seconds)) / readMedian(own.map(({ seconds }) => seconds));
  const shift = readMedian(own.map(({ loadEventMs }, index) => loadEventMs - theirs[index]!.loadEventMs));
  console.log(`browsertime takes ${ratio.toFixed(1)} times as long per load; the median difference of the load event is ${shift.toFixed(1)} ms`);
}

function describe(measured: Measured[]) {
  const ends = measured.map(({ endMs }) => endMs);
  const errors = measured.map(({ endMs, truthMs }) => Math.abs(endMs - truthMs));
  const loads = measured.map(({ loadEventMs }) => loadEventMs);
  return {
    'median end ms': readMedian(ends).toFixed(1),
    'median |error| ms': readMedian(errors).toFixed(1),
    'max |error| ms': Math.max(...errors).toFixed(1),
    'median load event ms': readMedian(loads).toFixed(1),
    'its interquartile range': (readQuantile(loads, 0.75) - readQuantile(loads, 0.25)).toFixed(1),
    'median s per load': readMedian(measured.map(({ seconds }) => seconds)).toFixed(2),
  };
}

async function measureWithEngine(from: OriginProcess, pathAndQuery: string, visitId: string): Promise<Measured> {
  const startMs = performance.now();
  const snapshot = await takeSnapshot(session, from.httpUrl + pathAndQuery);
  const seconds = (performance.now() - startMs) / 1000;
  const { totalMs: truthMs } = await from.readTruth(visitId);
  return { loadEventMs: valueOf(snapshot, 'loadEventMs'), endMs: valueOf(snapshot, 'totalMs') - valueOf(snapshot, 'requestStartMs'), truthMs, seconds };
}

async function measureWithBrowsertime(from: OriginProcess, pathAndQuery: string, visitId: string): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-bench-'));
  try {
    const startMs = performance.now();
    const options = ['-n', '1', '-b', 'chrome', '--headless', '--chrome.binaryPath', findChrome(), '--chrome.chromedriverPath', 'chromedriver', '--chrome.args', 'no-sandbox'];
    const child = spawn(process.execPath, [browsertime, ...options, '--video', 'false', '--visualMetrics', 'false', '--resultDir', folder, from.httpUrl + pathAndQuery], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    if (exitCode !== 0) throw new Error(`browsertime ended with status ${exitCode}`);
    const seconds = (performance.now() - startMs) / 1000;

    const [result] = ResultSchema.parse(JSON.parse(await readFile(path.join(folder, 'browsertime.json'), 'utf8')));
    const { pageTimings, navigationTiming } = result!.browserScripts[0]!.timings;
    const { totalMs: truthMs } = await from.readTruth(visitId);
    return { loadEventMs: pageTimings.pageLoadTime, endMs: result!.fullyLoaded[0]! - navigationTiming.requestStart, truthMs, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Once, beside what the launcher keeps; its drivers are not fetched: chromedriver is the system's. */
async function installBrowsertime(): Promise<string> {
  if (spawnSync('chromedriver', ['--version']).status !== 0) throw new Error('browsertime needs chromedriver on the PATH: apt-get install chromium-driver');
  const folder = path.join(findHome(process.env), 'bench', `browsertime-${version}`);
  const main = path.join(folder, 'node_modules', 'browsertime', 'bin', 'browsertime.js');
  if (!existsSync(main)) {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { browsertime: version } }));
    const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error('npm could not install browsertime (see above)');
  }
  return main;
}
