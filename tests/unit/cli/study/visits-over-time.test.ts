import { Readable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { describeOrigins } from '#cli/study/gather-part.ts';
import { findTypicalLoad } from '#cli/study/find-typical-load.ts';
import { VisitNotes } from '#cli/study/note-visits.ts';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import type { BundleLine } from '#core/record/bundle-line.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';

const roundId = 'round';

/** A bundle of one Round with these Passes, and a Capture Point whose clock is 50 ms late. */
function write({
  passes = ['alice'],
  point = seriesOf({ 10: 1000, 14: 200, 30: 40, 31: 5 }),
  change = {},
  ofPass = {},
  receivedBytes,
}: {
  passes?: string[];
  point?: ByteSeries;
  change?: object;
  ofPass?: object;
  receivedBytes?: number;
} = {}): AsyncIterable<BundleLine> {
  const lines = [
    { kind: 'round', id: roundId, block: 1, scenario: 'direct', state: 'completed', warmUp: false },
    { kind: 'capture-point', id: 'point', roundId, name: 'satellite link' },
    {
      kind: 'capture',
      of: 'point',
      outcome: { ...captureOf({ all: point }), clockOffsetMs: 50, ...change },
      visits: {},
    },
    ...passes.flatMap((passId) => [
      { kind: 'pass', id: passId, roundId, userAgent: passId },
      {
        kind: 'capture',
        of: passId,
        outcome: { ...captureOf({ all: seriesOf({ 10: 7, 11: 8, 15: 6, 16: 4, 30: 9 }) }), ...ofPass },
        visits: { [`${passId}-1050`]: { packets: 5, bytes: 1200, openedConnections: 1, unusedConnections: 0 } },
      },
      // The load of a warm cache before the one that counts, and two that count.
      visit(passId, { startedEpochMs: 900, repetition: 0 }),
      visit(passId, { startedEpochMs: 1050, totalMs: 450, receivedBytes }),
      visit(passId, { startedEpochMs: 3050, totalMs: 350 }),
    ]),
  ];
  return Readable.from(lines) as AsyncIterable<BundleLine>;
}

/** Bytes by the number of a bin of 100 ms. */
function seriesOf(bytes: Record<number, number>): ByteSeries {
  return { binMs: 100, bins: Object.keys(bytes).map(Number), bytes: Object.values(bytes) };
}

function captureOf({ all }: { all: ByteSeries }) {
  const captured = makeCaptured({ clockOffsetMs: 0 });
  return {
    ...captured,
    statistics: { ...captured.statistics, throughput: { all, sent: null, received: all }, connections: [] },
  };
}

function visit(
  passId: string,
  given: { startedEpochMs: number; totalMs?: number; repetition?: number; receivedBytes?: number | undefined },
) {
  const { startedEpochMs, totalMs = 100, repetition = 1, receivedBytes } = given;
  return {
    kind: 'visit',
    id: `${passId}-${startedEpochMs}`,
    passId,
    repetition,
    startedEpochMs,
    readings: { totalMs, ...(receivedBytes !== undefined && { receivedBytes, objectCount: 1 }) },
  };
}

async function note(lines: AsyncIterable<BundleLine>) {
  const notes = new VisitNotes();
  for await (const line of notes.listen(lines)) expect(line.kind).not.toBe('end');
  return notes.list();
}

describe('what crossed a Capture Point', () => {
  it('belongs to the Visit in whose time it crossed, on the clock of the Capture', async () => {
    const noted = await note(write());
    expect(noted.map(({ values, bytesAt }) => [values.totalMs, bytesAt])).toEqual([
      [450, { 'satellite link': 1200 }],
      [350, { 'satellite link': 45 }],
    ]);
  });

  it('belongs to no Visit where two User Agents were measured together', async () => {
    const noted = await note(write({ passes: ['alice', 'bob'] }));
    expect(noted.map(({ bytesAt }) => bytesAt)).toEqual([{}, {}, {}, {}]);
  });

  it('is not known where the Capture counted too little', async () => {
    for (const change of [{ isBrokenOff: true }, { isLimited: true }, { droppedByKernel: 1 }])
      expect((await note(write({ change })))[0]!.bytesAt).toEqual({});
  });
});

describe('what packets say of a Visit', () => {
  const packetsOf = async (options: Parameters<typeof write>[0]) => (await note(write(options)))[0]!.values.packets;

  it('is left out where the Capture of its Pass holds less than the Pass', async () => {
    // The Capture has some 1100 bytes to the client, and may lack 1000 of what the browser received.
    expect(await packetsOf({})).toBe(5);
    expect(await packetsOf({ receivedBytes: 2000 })).toBe(5);
    expect(await packetsOf({ receivedBytes: 2200 })).toBeUndefined();
    expect(await packetsOf({ ofPass: { isLimited: true } })).toBeUndefined();
  });
});

test('the browsers of a Run are those that load its pages, of all that its hosts have', () => {
  const engines = [
    { engine: 'chrome' as const, version: 'Chrome/150' },
    { engine: 'firefox' as const, version: 'Firefox/152' },
    { engine: 'http' as const, version: '1.0.0' },
  ];
  const origins = { versions: ['1.0.0'], startedAt: '2026-11-29', hosts: [{ ...hostFacts, engines }] };
  const browsersOf = (engine: 'firefox' | 'http') => {
    const [userAgent] = makeEvaluation().userAgents;
    return describeOrigins(origins, { userAgents: [{ ...userAgent!, engine }] }).browsers;
  };
  expect(browsersOf('firefox')).toEqual(['Firefox 152']);
  expect(browsersOf('http')).toEqual(['the http engine']);
});

describe('the typical load', () => {
  const find = async (scenario: string, where: Record<string, number> = {}) => {
    const noted = await note(write());
    const visits = noted.map((each, index) => ({
      ...each,
      ...{ block: 1, scenario: 'direct', userAgent: 'alice', page: '/', variables: { images: index } },
    }));
    return findTypicalLoad(write(), { visits, scenario, where });
  };

  it('is the one with the median time, with what was captured until the end of the bin in which it ends', async () => {
    const load = await find('direct', { images: 0 });
    expect(load).toMatchObject({ totalMs: 450, of: 1, userAgent: 'alice' });
    expect(load!.capture.statistics.throughput.all).toEqual(seriesOf({ 10: 7, 11: 8, 15: 6 }));
  });

  it('is the shorter one of two', async () => {
    const load = await find('direct');
    expect(load).toMatchObject({ totalMs: 350, of: 2 });
    expect(load!.capture.statistics.throughput.received).toEqual(seriesOf({ 30: 9 }));
  });

  it('is none of a Scenario without loads', async () => {
    expect(await find('proxy')).toBeNull();
  });
});
