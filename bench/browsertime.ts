import { openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit-for-snapshot.ts';
import { readMedian, readQuantile } from './support/read-quantile.ts';
import { browsertimeVersion as version, installBrowsertime, runBrowsertime } from './support/run-browsertime.ts';
import { startOriginProcess, type OriginProcess } from './support/start-origin-process.ts';

/**
 * The same pages with browsertime from npm and with the chrome engine, one iteration of each in turn, in the same browser:
 * `node bench/browsertime.ts [ITERATIONS]`. Needs chromedriver on the PATH (Debian: chromium-driver). What each calls the end of the load is held
 * against the origin: last byte of the last object − arrival of the first request. Both cold, both without video; browsertime in a new browser for each
 * iteration, as it always works, the engine in a new context of one browser.
 */
const iterations = Number(process.argv[2] ?? 10);

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
  console.log(
    `browsertime takes ${ratio.toFixed(1)} times as long per load; the median difference of the load event is ${shift.toFixed(1)} ms`,
  );
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
  return {
    loadEventMs: valueOf(snapshot, 'loadEventMs'),
    endMs: valueOf(snapshot, 'totalMs') - valueOf(snapshot, 'requestStartMs'),
    truthMs,
    seconds,
  };
}

async function measureWithBrowsertime(from: OriginProcess, pathAndQuery: string, visitId: string): Promise<Measured> {
  const startMs = performance.now();
  const { loadEventMs, fullyLoadedMs, requestStartMs } = await runBrowsertime(browsertime, from.httpUrl + pathAndQuery);
  const seconds = (performance.now() - startMs) / 1000;
  const { totalMs: truthMs } = await from.readTruth(visitId);
  return { loadEventMs, endMs: fullyLoadedMs - requestStartMs, truthMs, seconds };
}
