import { describe, expect, it } from 'vitest';
import { buildHar } from '#controller/visits/build-har.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { VisitSchema } from '#core/protocol/visit.ts';
import { buildWaterfall } from '#web-ui/src/waterfall/build-waterfall.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import { makeFrame, makeNavigation, makeRequest, makeSnapshot, pageUrl } from './support/snapshot-parts.ts';
import { readMetric } from './support/read-metric.ts';

const visit = { id: 'id', description: '', clockOffsetMs: 0 };

/** What an Agent reports is as right as the Agent is. */
describe('of a Snapshot that no browser makes', () => {
  it('an address that is no URL hides sizes, and breaks nothing', () => {
    const frame = makeFrame({ url: 'nowhere', navigation: makeNavigation({ decodedBodySize: 0 }) });
    expect(readMetric(makeSnapshot({ frames: [frame], requests: [] }), 'decodedBytes')).toBe('timing-hidden');
  });

  it('sizes that are no whole numbers are whole in its HAR', () => {
    const har = buildHar(makeSnapshot({ requests: [makeRequest({ url: pageUrl, decodedBytes: 10.5 })] }), {
      visit,
      creatorVersion: '0',
    });
    expect(har.log.entries[0]!.response.content.size).toBe(11);
    expect(findHarFaults(JSON.parse(JSON.stringify(har)))).toEqual([]);
  });

  it('a hop of a redirect that is there twice has two rows in the waterfall', () => {
    const hop = makeRequest({ url: pageUrl, id: '1', hop: 3 });
    const { rows } = buildWaterfall(makeSnapshot({ requests: [hop, hop] }));
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it('one without the page itself is refused', () => {
    const { error } = SnapshotSchema.safeParse(makeSnapshot({ frames: [makeFrame({ path: [0] })] }));
    expect(error!.issues).toMatchObject([
      { path: ['frames'], message: 'must include the frame of the page itself, with the path []' },
    ]);
  });

  it('times that no date can hold are refused, and the last that are taken make a HAR', () => {
    const withStart = (startEpochMs: number) =>
      makeSnapshot({ requests: [makeRequest({ url: pageUrl, startEpochMs })] });
    expect(SnapshotSchema.safeParse(withStart(1e300)).success).toBe(false);
    const last = SnapshotSchema.parse(withStart(8e15));
    const offset = VisitSchema.shape.clockOffsetMs;
    expect(offset.safeParse(1.1e14).success).toBe(false);
    expect(
      buildHar(last, { visit: { ...visit, clockOffsetMs: offset.parse(1e14) }, creatorVersion: '0' }).log.entries[0]!
        .startedDateTime,
    ).toBe('+258648-10-13T00:00:00.000000Z');
  });
});
