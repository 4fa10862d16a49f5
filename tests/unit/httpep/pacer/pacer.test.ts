import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseRate } from '#httpep/command/run-pep.ts';
import { countWireBytes } from '#httpep/pacer/count-wire-bytes.ts';
import { Pacer } from '#httpep/pacer/pacer.ts';

/** Sends chunks as a timer of 1 ms lets it, late by a number of ms now and then. Returns the ms that it took. */
function send(pacer: Pacer, chunks: readonly number[], lateMs: readonly number[] = []): number {
  let now = 0;
  chunks.forEach((bytes, index) => {
    const wait = pacer.waitMs(now);
    if (wait > 0) now = Math.ceil(now + wait) + (lateMs[index % lateMs.length] ?? 0);
    pacer.spend(bytes, now);
  });
  return now + pacer.waitMs(now);
}

test('a megabyte at 2 Mb/s takes as long as the link needs for it, headers included', () => {
  const chunks = Array<number>(700).fill(1448);
  const expectedMs = (700 * 1514 * 8) / 2000;
  expect(send(new Pacer(2000), chunks)).toBeGreaterThanOrEqual(expectedMs - 4);
  expect(send(new Pacer(2000), chunks)).toBeLessThan(expectedMs * 1.001 + 4);
});

test.each([0.5, 0.8, undefined, 1])('a share of %s of the rate takes the inverse of it longer', (paceRatio) => {
  const chosen = chooseRate({ rate: 2000, ...(paceRatio !== undefined && { paceRatio }) });
  const pacer = new Pacer(chosen.rateKbps as number, chosen.paceRatio);
  const expectedMs = (700 * 1514 * 8) / (2000 * (paceRatio ?? 0.97));
  const tookMs = send(pacer, Array<number>(700).fill(1448));
  expect(tookMs).toBeGreaterThanOrEqual(expectedMs - 4.001);
  expect(tookMs).toBeLessThan(expectedMs * 1.001 + 4);
});

test('without a rate there is no pace, and no share of it', () => {
  expect(chooseRate({}).rateKbps).toBeNull();
  expect(() => chooseRate({ paceRatio: 0.9 })).toThrow('--pace-ratio needs the rate of the link: add --rate');
});

test('timers that are late by a few ms do not lower the rate', () => {
  const chunks = Array<number>(700).fill(1448);
  expect(send(new Pacer(2000), chunks, [0, 3, 1])).toBeLessThan(((700 * 1514 * 8) / 2000) * 1.01);
});

test('after a rest, no more is sent at once than a late timer is made up for', () => {
  const pacer = new Pacer(2000);
  pacer.spend(1448, 0);
  let sent = 0;
  while (pacer.waitMs(10_000) === 0) {
    pacer.spend(1448, 10_000);
    sent += 1;
  }
  expect(sent).toBe(1);
});

test('in no interval, more is sent than the rate allows and the slack', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 16_384 }), restMs: fc.integer({ min: 0, max: 30 }) }), {
        minLength: 1,
      }),
      (sends) => {
        const pacer = new Pacer(1000);
        const times: { ms: number; bytes: number }[] = [];
        let now = 0;
        for (const { bytes, restMs } of sends) {
          now += restMs + pacer.waitMs(now + restMs);
          pacer.spend(bytes, now);
          times.push({ ms: now, bytes: countWireBytes(bytes) });
        }
        for (const [index, first] of times.entries()) {
          const before = times.slice(index, -1).reduce((sum, each) => sum + each.bytes, 0);
          const spanMs = times.at(-1)!.ms - first.ms;
          expect(before).toBeLessThanOrEqual((spanMs + 4.001) * 125);
        }
      },
    ),
  );
});

test('a rate of nothing is refused', () => {
  expect(() => new Pacer(0)).toThrow('above 0 kb/s');
  expect(() => new Pacer(Number.NaN)).toThrow(RangeError);
  expect(() => new Pacer(1, 0)).toThrow('A share is above 0');
});

test('the wire carries headers for each segment', () => {
  expect([countWireBytes(0), countWireBytes(1), countWireBytes(1448), countWireBytes(1449)]).toEqual([
    0, 67, 1514, 1581,
  ]);
});
