import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateEstimator } from '#httpep/pacer/rate-estimator.ts';
import { simulateLink, type Sample } from './support/simulate-link.ts';

const errorOf = ({ estimateKbps, rateKbps }: Sample) => Math.abs(estimateKbps / rateKbps - 1);

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]!;
}

test('any fixed link is found within half a minute: to 6 % nine tenths of the time, and never off by 10 %', () => {
  fc.assert(
    fc.property(
      fc.double({ min: Math.log(500), max: Math.log(50_000), noNaN: true }).map(Math.exp),
      fc.integer({ min: 2, max: 400 }),
      (rateKbps, oneWayMs) => {
        const samples = simulateLink({ rateAt: () => rateKbps, oneWayMs, seconds: 60 });
        const late = samples.filter(({ ms }) => ms >= 30_000);
        const errors = late.map(errorOf);
        expect(quantile(errors, 0.9)).toBeLessThan(0.06);
        expect(Math.max(...errors)).toBeLessThan(0.1);
      },
    ),
    { numRuns: 60 },
  );
});

test('on a link that is found, hardly anything waits', () => {
  const samples = simulateLink({ rateAt: () => 2000, oneWayMs: 300, seconds: 60 }).filter(({ ms }) => ms > 15_000);
  expect(
    quantile(
      samples.map(({ queueMs }) => queueMs),
      0.95,
    ),
  ).toBeLessThan(250);
});

test('a rate that rises and falls by a third in half a minute is followed to 15 %, nine tenths of the time', () => {
  const rateAt = (ms: number) => 1500 + 500 * Math.sin((ms / 30_000) * 2 * Math.PI);
  const samples = simulateLink({ rateAt, oneWayMs: 300, seconds: 180 }).filter(({ ms }) => ms > 10_000);
  expect(quantile(samples.map(errorOf), 0.9)).toBeLessThan(0.15);
});

test.each([
  ['half of it', 0.5],
  ['twice as much', 2],
])('when the rate becomes %s, the estimate is right again within 6 s', (_, factor) => {
  const rateAt = (ms: number) => (ms < 20_000 ? 1000 : 1000 * factor);
  const samples = simulateLink({ rateAt, oneWayMs: 300, seconds: 40 });
  expect(Math.max(...samples.filter(({ ms }) => ms > 15_000 && ms < 20_000).map(errorOf))).toBeLessThan(0.05);
  expect(Math.max(...samples.filter(({ ms }) => ms > 26_000).map(errorOf))).toBeLessThan(0.05);
});

test('pages with rests between them are enough', () => {
  const isBusy = (ms: number) => ms % 6000 < 2500;
  const samples = simulateLink({ rateAt: () => 500, oneWayMs: 300, seconds: 60, isBusy });
  expect(Math.max(...samples.filter(({ ms }) => ms > 30_000).map(errorOf))).toBeLessThan(0.05);
});

test('a remote end that is up to 20 ms late to notice does no harm', () => {
  let state = 1;
  const lateMs = () => (state = (state * 16_807) % 2_147_483_647) % 20;
  const samples = simulateLink({ rateAt: () => 2000, oneWayMs: 300, seconds: 60, lateMs });
  expect(Math.max(...samples.filter(({ ms }) => ms > 15_000).map(errorOf))).toBeLessThan(0.1);
});

test('what waited for a lost packet, and then arrives faster than it was sent, does not raise the estimate', () => {
  const estimator = new RateEstimator();
  estimator.guess({ roundTripMs: 600, connections: 4 });
  const first = estimator.kbps;
  let sentBytes = 0;
  // As seen on a link of 256 kb/s: sent at 550 kb/s, then at 140.
  for (const { segments, sentMs, arrivedMs } of [
    { segments: 46, sentMs: [0, 1000], arrivedMs: [300, 2650] },
    { segments: 46, sentMs: [1001, 5000], arrivedMs: [3800, 5300] },
  ] as const) {
    const startBytes = sentBytes;
    const between = ([from, to]: readonly [number, number], index: number) => from + ((to - from) * index) / segments;
    for (let index = 0; index <= segments; index++) {
      sentBytes = startBytes + (index + 1) * 1448;
      estimator.noteSent({ bytes: sentBytes, atMs: between(sentMs, index) });
    }
    for (let index = 0; index <= segments; index++) {
      const atMs = between(arrivedMs, index);
      estimator.noteArrival({ bytes: startBytes + (index + 1) * 1448, atMs }, atMs + 300);
    }
  }
  expect(estimator.kbps).toBe(first);
});

test('too little to send shows nothing: the first guess stays', () => {
  const estimator = new RateEstimator();
  estimator.guess({ roundTripMs: 600, connections: 4 });
  const first = estimator.kbps;
  for (let index = 1; index <= 50; index++) {
    estimator.noteSent({ bytes: index * 1448, atMs: index * 1000 });
    estimator.noteArrival({ bytes: index * 1448, atMs: index * 1000 + 300 }, index * 1000 + 600);
    estimator.noteIdle();
  }
  expect(estimator.kbps).toBe(first);
});

test('the first guess is what TCP would begin with', () => {
  const estimator = new RateEstimator();
  estimator.guess({ roundTripMs: 600, connections: 4 });
  const bitsInRoundTrip = estimator.kbps * estimator.gain * (600 + 150);
  expect(bitsInRoundTrip / 8 / 1514 / 4).toBeLessThanOrEqual(10);
});

test('after a connection is lost, what its bytes said does not count', () => {
  const estimator = new RateEstimator();
  estimator.guess({ roundTripMs: 600, connections: 4 });
  const first = estimator.kbps;
  for (let index = 1; index <= 400; index++) estimator.noteSent({ bytes: index * 1448, atMs: index * 10 });
  estimator.restart();
  estimator.noteArrival({ bytes: 10 * 1448, atMs: 1000 }, 1000);
  estimator.noteArrival({ bytes: 300 * 1448, atMs: 100_000 }, 100_000);
  expect(estimator.kbps).toBe(first);
});
