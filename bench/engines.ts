import { ProcessWaits } from '#agent/host/process-waits.ts';
import { buildExtension } from '#cli/extension/build-extension.ts';
import { HostDelayWatch } from '#core/agent/host-delay-watch.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { realTime } from '#core/clock/time.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { conformanceEngines, type ConformanceEngine } from '#tests/browser/support/conformance-engines.ts';
import { nameOriginObjects } from '#tests/browser/support/name-origin-objects.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit-for-snapshot.ts';
import { readQuantile } from './support/read-quantile.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';
import { readTruth, type Truth } from './support/read-truth.ts';

/**
 * How far each engine's latencies are from what the origin saw, on the page of hard cases, the engines in turn:
 * `node bench/engines.ts [VISITS] [ENGINE…]`. Truth: last byte at the origin − arrival of the first request + `requestStartMs`.
 */
const [visitCount = '20', ...names] = process.argv.slice(2);
const engines = conformanceEngines.filter(({ name }) => names.length === 0 || names.includes(name));
const latencies = ['baseMs', 'viewportMs', 'totalMs'] as const;

await buildExtension();
await using resources = new AsyncDisposableStack();
const origin = resources.use(await startOriginProcess());
const benches = await Promise.all(
  engines.map(async (engine) => {
    const session = resources.use(await engine.open({ browser: { trustedKeys: [origin.trustedKey] } }));
    return {
      engine,
      session,
      exactCount: 0,
      errors: { baseMs: [] as number[], viewportMs: [] as number[], totalMs: [] as number[] },
      waits: new ProcessWaits(() => session.processId),
      heldUpMs: [] as number[],
    };
  }),
);

for (let index = -1; index < Number(visitCount); index++) {
  for (const bench of index % 2 === 0 ? benches : benches.toReversed()) {
    const visitId = `${bench.engine.name}-${index}`;
    using watch = new HostDelayWatch({ epochClock, sleep: realTime.sleep, waits: bench.waits });
    watch.begin();
    const snapshot = await takeSnapshot(bench.session, `${origin.http2Url}/hard-cases?visit=${visitId}`);
    if (index < 0) continue; // to warm up
    bench.heldUpMs.push(watch.delayOf({ status: 'ok', snapshot }));
    const truth = await readTruth(origin, visitId);
    if (isExact(snapshot, { truth, ...bench.engine })) bench.exactCount++;
    for (const metric of measuredBy(bench.engine)) {
      bench.errors[metric].push(
        Math.abs(valueOf(snapshot, metric) - valueOf(snapshot, 'requestStartMs') - truth[metric]),
      );
    }
  }
}

console.log(`|error| in ms over ${visitCount} cold Visits of the page of hard cases by HTTP/2, the engines in turn`);
for (const metric of latencies) {
  const rows = benches.filter(({ engine }) => measuredBy(engine).includes(metric));
  const reference = rows[0] && readQuantile(rows[0].errors[metric], 0.95);
  console.log(`\n${metric}`);
  console.table(
    rows.map(({ engine, exactCount, errors, heldUpMs }) => {
      const p95 = readQuantile(errors[metric], 0.95);
      return {
        engine: engine.name,
        median: readQuantile(errors[metric], 0.5).toFixed(1),
        '95th percentile': p95.toFixed(1),
        max: Math.max(...errors[metric]).toFixed(1),
        'held up by the host, median': readQuantile(heldUpMs, 0.5).toFixed(1),
        'beyond that': errors[metric].filter((error, index) => error > heldUpMs[index]!).length,
        [`ratio to ${rows[0]!.engine.name}`]: reference ? (p95 / reference).toFixed(2) : '',
        'objects exactly right': `${exactCount} of ${visitCount}`,
      };
    }),
  );
}

function measuredBy({ hasViewport }: ConformanceEngine): readonly (typeof latencies)[number][] {
  return latencies.filter((metric) => hasViewport || metric !== 'viewportMs');
}

function isExact(
  snapshot: Awaited<ReturnType<typeof takeSnapshot>>,
  { truth, hasViewport }: { truth: Truth; hasViewport: boolean },
): boolean {
  const isViewportExact =
    !hasViewport || nameOriginObjects(findViewportObjects(snapshot) ?? []).join() === truth.viewportObjects.join();
  return isViewportExact && nameOriginObjects(findCountedObjects(snapshot)).join() === truth.totalObjects.join();
}
