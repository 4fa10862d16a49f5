import { writeFileSync } from 'node:fs';
import { buildExtension } from '#cli/extension/build-extension.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { conformanceEngines } from '#tests/browser/support/conformance-engines.ts';
import { holdHandshakes } from '#tests/browser/support/hold-handshakes.ts';
import { takeSnapshot } from '#tests/browser/support/visit-for-snapshot.ts';
import type { RecordedVisit } from '../support/recorded-visits.ts';

/** Writes `visits.json`: Visits of small pages by every engine, and what their origin saw: `node tests/unit/core/metrics/recorded/record-visits.ts`. */
const holdMs = 300;
const pieces = 'chunked?chunks=4&chunkGapMs=80';

await buildExtension();
await using origin = await startOrigin();
await using held = await holdHandshakes(origin.http2Url, holdMs);
const pages = [
  { page: 'HTML in pieces over HTTP/1.1', url: `${origin.httpUrl}/${pieces}`, heldMs: 0 },
  { page: 'HTML in pieces over TLS', url: `${origin.httpsUrl}/${pieces}`, heldMs: 0 },
  { page: 'HTML in pieces over HTTP/2, redirected', url: `${origin.http2Url}/redirect/1/to/${pieces}`, heldMs: 0 },
  { page: 'HTML in one piece over HTTP/2', url: `${origin.http2Url}/images/1?`, heldMs: 0 },
  { page: 'HTML in one piece over HTTP/2, the handshake held back', url: `${held.url}/images/1?`, heldMs: holdMs },
];

const visits: RecordedVisit[] = [];
for (const { name, open } of conformanceEngines) {
  for (const cache of ['cold', 'warm'] as const) {
    await using session = await open({ pageLoad: { cache }, browser: { trustedKeys: [origin.trustedKey] } });
    for (const { page, url, heldMs } of pages) {
      const earlier = new Set(origin.truth.requests().map(({ connectionId }) => connectionId));
      const visit = `${name}-${cache}-${visits.length}`;
      const snapshot = await takeSnapshot(session, `${url}&visit=${visit}`);
      const base = origin.truth.requests(visit).filter(({ counts }) => counts === 'base');
      const last = base.at(-1)!;
      visits.push({
        engine: name,
        cache,
        page,
        truth: {
          isConnectionNew:
            base.filter(({ connectionId }) => connectionId === last.connectionId).length === 1 &&
            !earlier.has(last.connectionId),
          heldMs,
          responseMs: last.endedEpochMs! - last.firstByteEpochMs!,
        },
        snapshot,
      });
    }
  }
}
writeFileSync(
  new URL('visits.json', import.meta.url),
  `[\n${visits.map((visit) => JSON.stringify(visit)).join(',\n')}\n]\n`,
);
