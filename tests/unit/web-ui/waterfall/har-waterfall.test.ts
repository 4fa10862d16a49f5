import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildHar } from '#controller/visits/build-har.ts';
import { readHar } from '#core/har/read-har.ts';
import { SnapshotSchema, type Snapshot } from '#core/metrics/snapshot.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { makeResource } from '../../core/metrics/support/snapshot-parts.ts';
import { layOutHar } from '#web-ui/src/pages/har/har-page.tsx';
import { buildWaterfall, type WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';

const recorded = JSON.parse(
  readFileSync(new URL('../../core/metrics/recorded/hard-cases.json', import.meta.url), 'utf8'),
) as { snapshot: unknown };
const visit = { id: 'a', description: '', clockOffsetMs: 250 };
const microsecond = 0.001;

function importExported(snapshot: Snapshot) {
  const har = buildHar(snapshot, { visit, creatorVersion: '1' });
  const { pages, creator } = readHar(new TextEncoder().encode(JSON.stringify(har)), 'a.har');
  expect([creator, pages.length]).toEqual(['HTTP-AE 1', 1]);
  return layOutHar(pages[0]!);
}

/** Both have been cut to a microsecond. */
function isSame(one: WaterfallRow, other: WaterfallRow): boolean {
  const times = ({ startMs, phases }: WaterfallRow) => [
    startMs,
    ...phases.flatMap((phase) => [phase.startMs, phase.endMs]),
  ];
  // A HAR has no word for phases that nobody knows.
  const kindsOf = ({ phases }: WaterfallRow) => phases.map(({ kind }) => (kind === 'undivided' ? 'wait' : kind)).join();
  const [own, others] = [times(one), times(other)];
  return (
    one.url === other.url &&
    kindsOf(one) === kindsOf(other) &&
    own.every((ms, index) => Math.abs(ms - others[index]!) <= 1.5 * microsecond)
  );
}

/** The same page in an extension, which knows when requests were sent by the entries of the page alone. */
function seenByExtension(snapshot: Snapshot): Snapshot {
  const [main] = snapshot.frames;
  const since = (epochMs: number | null | undefined) => (epochMs ? epochMs - main!.timeOrigin : 0);
  const resources = snapshot.requests.slice(1).map(({ url, exchange, ...times }) =>
    makeResource({
      ...{ name: url, startTime: since(times.startEpochMs), domainLookupStart: 0, domainLookupEnd: 0 },
      connectStart: since(exchange?.phases.connect?.[0]),
      connectEnd: since(exchange?.phases.connect?.[1]),
      secureConnectionStart: since(exchange?.phases.tls?.[0]),
      requestStart: since(times.sentEpochMs),
      responseStart: since(times.responseEpochMs),
      responseEnd: since(times.endEpochMs),
    }),
  );
  const requests = snapshot.requests.map((request) => ({ ...request, sentEpochMs: null, exchange: undefined }));
  return { ...snapshot, requests, frames: [{ ...main!, resources }] };
}

const made = makePageSnapshot({ url: 'https://origin.test/', totalMs: 876.543 }, 30);

test.for([
  { name: 'a recorded page', snapshot: SnapshotSchema.parse(recorded.snapshot) },
  { name: 'a made page', snapshot: made },
  { name: 'a page of the extension', snapshot: seenByExtension(made) },
])('the HAR of $name shows the same waterfall as the Visit, to the microsecond', ({ snapshot }) => {
  const { rows } = importExported(snapshot);
  expect(rows).toHaveLength(snapshot.requests.length);
  // Others have been seen by the probe alone, and are in no HAR.
  const own = buildWaterfall(snapshot).rows.filter(({ key }) => key.includes('.'));
  expect(own.length).toBeGreaterThan(20);
  for (const row of own) {
    const found = rows.find((each) => isSame(row, each));
    expect(found, row.url).toMatchObject({
      type: row.type === 'icon' ? 'other' : row.type,
      status: row.status,
      protocol: row.protocol,
      fromCache: row.fromCache,
      ...(row.receivedBytes !== null && { receivedBytes: row.receivedBytes }),
    });
    if (row.endMs !== null) expect(Math.abs(found!.endMs! - row.endMs)).toBeLessThanOrEqual(2 * microsecond);
  }
});

test('a page of the extension has the waterfall that an engine knows of it', () => {
  const kindsOf = (snapshot: Snapshot) =>
    buildWaterfall(snapshot).rows.map(({ phases }) => phases.map(({ kind, endMs }) => `${kind} ${endMs.toFixed(2)}`));
  expect(kindsOf(seenByExtension(made)).slice(1)).toEqual(kindsOf(made).slice(1));
});

test('a request without phases is one stretch, and connections have numbers in the order of their use', () => {
  const request = (second: number, connection: string, timings: object) => ({
    startedDateTime: `2026-11-28T10:00:0${second}.5Z`,
    time: 400,
    request: { url: `https://origin.test/${second}` },
    response: { status: 200 },
    connection,
    timings,
  });
  const entries = [request(1, 'z', {}), request(0, 'b', { blocked: -1, wait: 300, receive: 100 }), request(2, 'b', {})];
  const har = { log: { creator: { name: 'Test' }, entries } };
  const { rows, endMs } = layOutHar(readHar(new TextEncoder().encode(JSON.stringify(har)), 'a.har').pages[0]!);
  expect(rows.map(({ startMs, connection, phases }) => [startMs, connection, phases.map(({ kind }) => kind)])).toEqual([
    [0, 1, ['wait', 'receive']],
    [1000, 2, ['undivided']],
    [2000, 1, ['undivided']],
  ]);
  expect(endMs).toBe(2400);
});
