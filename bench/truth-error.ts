import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { nameOriginObjects } from '#tests/browser/support/name-origin-objects.ts';
import { isFirefoxLeftOut } from '#tests/browser/support/find-firefox.ts';
import { hasCaddy } from '#tests/browser/support/has-caddy.ts';
import { openFirefoxSession, openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit-for-snapshot.ts';
import { readQuantile } from './support/read-quantile.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';
import { readTruth } from './support/read-truth.ts';

/**
 * How far the three latencies are from what the origin saw, on the page of hard cases: `node bench/truth-error.ts [VISITS]`.
 * Truth: last byte at the origin − arrival of the first request + `requestStartMs`. HTTP/3 is measured where there is Caddy: there the origin sees what its front passes on.
 */
const visitCount = Number(process.argv[2] ?? 20);
const latencies = ['baseMs', 'viewportMs', 'totalMs'] as const;

await using origin = await startOriginProcess({ http3: hasCaddy });
const { front } = origin.urls;
const plain = { browser: { trustedKeys: [origin.trustedKey] } };
const overHttp3 = front && {
  browser: { ...plain.browser, protocols: ['h3' as const] },
  urls: [front, origin.urls['front-cross-origin']!],
};

for (const { name, url, options, open } of [
  { name: 'HTTP/1.1', url: origin.httpUrl, options: plain, open: openSession },
  { name: 'HTTP/2', url: origin.http2Url, options: plain, open: openSession },
  ...(overHttp3 ? [{ name: 'HTTP/3', url: front, options: overHttp3, open: openSession }] : []),
  ...(overHttp3 && !isFirefoxLeftOut
    ? [{ name: 'HTTP/3 in Firefox', url: front, options: overHttp3, open: openFirefoxSession }]
    : []),
]) {
  await using session = await open(options);
  const errors = { baseMs: [] as number[], viewportMs: [] as number[], totalMs: [] as number[] };
  let exactCount = 0;
  for (let index = 0; index < visitCount; index++) {
    const visitId = `${name.replaceAll(/\W/g, '')}-${index}`;
    const snapshot = await takeSnapshot(session, `${url}/hard-cases?visit=${visitId}`);
    const truth = await readTruth(origin, visitId);
    const isExact =
      nameOriginObjects(findViewportObjects(snapshot) ?? []).join() === truth.viewportObjects.join() &&
      nameOriginObjects(findCountedObjects(snapshot)).join() === truth.totalObjects.join();
    if (isExact) exactCount++;
    for (const metric of latencies)
      errors[metric].push(Math.abs(valueOf(snapshot, metric) - valueOf(snapshot, 'requestStartMs') - truth[metric]));
  }
  console.log(`\n${name}: ${visitCount} cold Visits of the page of hard cases, objects exactly right in ${exactCount}`);
  console.table(
    latencies.map((metric) => ({
      metric,
      'median |error| ms': readQuantile(errors[metric], 0.5).toFixed(1),
      '95th percentile': readQuantile(errors[metric], 0.95).toFixed(1),
      max: Math.max(...errors[metric]).toFixed(1),
    })),
  );
}
