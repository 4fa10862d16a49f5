import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { nameOriginObjects } from '#tests/browser/support/name-origin-objects.ts';
import { openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit-for-snapshot.ts';
import { readQuantile } from './support/read-quantile.ts';
import { startOriginProcess } from './support/start-origin-process.ts';

/**
 * How far the three latencies are from what the origin saw, on the page of hard cases: `node bench/truth-error.ts [VISITS]`.
 * Truth: last byte at the origin − arrival of the first request + `requestStartMs`.
 */
const visitCount = Number(process.argv[2] ?? 20);
const latencies = ['baseMs', 'viewportMs', 'totalMs'] as const;

await using origin = await startOriginProcess();
await using session = await openSession({ browser: { trustedKeys: [origin.trustedKey] } });

for (const [protocol, url] of [
  ['HTTP/1.1', origin.httpUrl],
  ['HTTP/2', origin.http2Url],
] as const) {
  const errors = { baseMs: [] as number[], viewportMs: [] as number[], totalMs: [] as number[] };
  let exactCount = 0;
  for (let index = 0; index < visitCount; index++) {
    const visitId = `${protocol.replace('/', '')}-${index}`;
    const snapshot = await takeSnapshot(session, `${url}/hard-cases?visit=${visitId}`);
    const truth = await origin.readTruth(visitId);
    const isExact =
      nameOriginObjects(findViewportObjects(snapshot) ?? []).join() === truth.viewportObjects.join() &&
      nameOriginObjects(findCountedObjects(snapshot)).join() === truth.totalObjects.join();
    if (isExact) exactCount++;
    for (const metric of latencies)
      errors[metric].push(Math.abs(valueOf(snapshot, metric) - valueOf(snapshot, 'requestStartMs') - truth[metric]));
  }
  console.log(
    `\n${protocol}: ${visitCount} cold Visits of the page of hard cases, objects exactly right in ${exactCount}`,
  );
  console.table(
    latencies.map((metric) => ({
      metric,
      'median |error| ms': readQuantile(errors[metric], 0.5).toFixed(1),
      '95th percentile': readQuantile(errors[metric], 0.95).toFixed(1),
      max: Math.max(...errors[metric]).toFixed(1),
    })),
  );
}
