import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit-for-snapshot.ts';
import { readMedian, readQuantile } from './support/read-quantile.ts';
import { browsertimeVersion as version, installBrowsertime, runBrowsertime } from './support/run-browsertime.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';
import { readTruth } from './support/read-truth.ts';

/**
 * The same pages with browsertime from npm and with the chrome engine, one iteration of each in turn, in the same browser:
 * `node bench/browsertime.ts [ITERATIONS]`. Needs chromedriver on the PATH (Debian: chromium-driver). What each calls the end of the load is held
 * against the origin: last byte of the last object − arrival of the first request. Both cold, both without video; browsertime in a new browser for each
 * iteration, as it always works, the engine in a new context of one browser. The last page is reached by a redirect from another origin, which takes 200 ms: there,
 * ends are from navigation start, as a browser does not show browsertime the request before. What comes before that request is an error of both.
 */
const iterations = Number(process.argv[2] ?? 10);

interface Measured {
  loadEventMs: number;
  /** What the tool calls the end of the load, from the first request, or from navigation start. */
  endMs: number;
  truthMs: number;
  seconds: number;
}

const browsertime = await installBrowsertime();
await using origin = await startOriginProcess();
await using session = await openSession({ browser: { trustedKeys: [origin.trustedKey] } });

await using other = await startRedirecting(origin.httpUrl);
const pages = [
  { name: '/images/10', at: origin.httpUrl, isRedirected: false },
  { name: '/hard-cases', at: origin.httpUrl, isRedirected: false },
  { name: '/images/10', at: other.url, isRedirected: true },
];

interface Load {
  url: string;
  visitId: string;
  isRedirected: boolean;
}

for (const { name, at, isRedirected } of pages) {
  const own: Measured[] = [];
  const theirs: Measured[] = [];
  const loadOf = (tool: string, iteration: number): Load => {
    const visitId = `${tool}-${isRedirected}-${name.replace(/\W/g, '')}-${iteration}`;
    return { url: `${at}${name}?visit=${visitId}`, visitId, isRedirected };
  };
  for (let iteration = 0; iteration < iterations; iteration++) {
    theirs.push(await measureWithBrowsertime(loadOf('b', iteration)));
    own.push(await measureWithEngine(loadOf('h', iteration)));
  }
  console.log(`\n${name}${isRedirected ? ' by a redirect' : ''}: ${iterations} cold loads with each, in turn`);
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

async function measureWithEngine({ url, visitId, isRedirected }: Load): Promise<Measured> {
  const startMs = performance.now();
  const snapshot = await takeSnapshot(session, url);
  const seconds = (performance.now() - startMs) / 1000;
  return {
    loadEventMs: valueOf(snapshot, 'loadEventMs'),
    endMs: valueOf(snapshot, 'totalMs') - (isRedirected ? 0 : valueOf(snapshot, 'requestStartMs')),
    truthMs: await readTruthMs(visitId),
    seconds,
  };
}

async function measureWithBrowsertime({ url, visitId, isRedirected }: Load): Promise<Measured> {
  const startMs = performance.now();
  const { loadEventMs, fullyLoadedMs, requestStartMs } = await runBrowsertime(browsertime, url);
  const seconds = (performance.now() - startMs) / 1000;
  const endMs = fullyLoadedMs - (isRedirected ? 0 : requestStartMs);
  return { loadEventMs, endMs, truthMs: await readTruthMs(visitId), seconds };
}

/** From the arrival of the Visit's first request, at either origin, to the last byte of its last object. */
async function readTruthMs(visitId: string): Promise<number> {
  const { firstRequestEpochMs, totalMs } = await readTruth(origin, visitId);
  return firstRequestEpochMs - (other.arrivals.get(visitId) ?? firstRequestEpochMs) + totalMs;
}

/** Another origin, which leads to the same path of this one. `arrivals`: epoch ms of the request of each Visit. */
async function startRedirecting(
  to: string,
): Promise<{ url: string; arrivals: ReadonlyMap<string, number> } & AsyncDisposable> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const visitId = new URL(request.url!, to).searchParams.get('visit');
    if (visitId !== null) arrivals.set(visitId, performance.timeOrigin + performance.now());
    setTimeout(() => response.writeHead(302, { location: to + request.url! }).end(), 200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, arrivals, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
