import { expect, test } from 'vitest';
import { listPoint } from '#cli/comparison/list-points.ts';
import { comparePoints } from '#core/comparison/compare-points.ts';
import type { PointTraffic } from '#core/record/point-traffic.ts';

const round = (scenario: string, block: number, packets: number, httpRequests: number | null): PointTraffic => ({
  block,
  scenario,
  point: 'ground',
  captured: {
    kind: 'counted',
    counts: {
      packets,
      bytes: 1000 * packets,
      tcp: { connections: 4, retransmissions: 0, httpRequests },
      hasEncryption: false,
      hasDrops: false,
    },
  },
});

test('each Scenario has its means per Round, and their ratio to the baseline; what is absent is a dash', () => {
  const rounds = [
    round('direct', 1, 100, 31),
    round('direct', 2, 102, 31),
    round('proxy', 1, 50, null),
    round('proxy', 2, 51, null),
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
