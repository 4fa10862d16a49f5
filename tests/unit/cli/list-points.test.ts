import { expect, test } from 'vitest';
import { listPoint } from '#cli/comparison/format-comparison.ts';
import { comparePoints } from '#core/comparison/network/compare-points.ts';
import { countPoint } from '#tests/support/counted-point.ts';

test('each Scenario has its means per Round, and their ratio to the baseline; what is absent is a dash', () => {
  const rounds = [
    countPoint({ scenario: 'direct', block: 1, packets: 100 }),
    countPoint({ scenario: 'direct', block: 2, packets: 102 }),
    countPoint({ scenario: 'proxy', block: 1, packets: 50, httpRequests: null }),
    countPoint({ scenario: 'proxy', block: 2, packets: 51, httpRequests: null }),
  ];
  const compared = { baseline: 'direct' };
  const scenarios = ['direct', 'proxy', 'unmeasured'];
  const [point] = comparePoints(rounds, { ...compared, scenarios, points: ['ground'], confidence: 0.95 });
  expect(listPoint(point!, compared)).toEqual([
    ['Scenario', 'Packets', 'Bytes', 'Connections', 'Retransmissions', 'HTTP requests', 'Rounds'],
    ['direct (baseline)', '101 ± 13', '101000 ± 12706', '4.0 ± 0.0', '0.0 ± 0.0', '31.0 ± 0.0', '2'],
    ['proxy', '50.5 ± 6.4 (×0.50)', '50500 ± 6353 (×0.50)', '4.0 ± 0.0 (×1.00)', '0.0 ± 0.0', '—', '2'],
    ['unmeasured', '—', '—', '—', '—', '—', '0'],
  ]);
});

test('a small ratio says how small it is', () => {
  const rounds = [
    ...[1, 2].map((block) => countPoint({ scenario: 'direct', block, packets: 10_000 })),
    ...[1, 2].map((block) => countPoint({ scenario: 'cached', block, packets: 31 })),
  ];
  const compared = { baseline: 'direct' };
  const [point] = comparePoints(rounds, {
    ...compared,
    scenarios: ['direct', 'cached'],
    points: ['ground'],
    confidence: 0.95,
  });
  expect(listPoint(point!, compared)[2]![1]).toBe('31.0 ± 0.0 (×0.0031)');
});
