import { causeIds, type CauseId } from '#core/causes/causes.ts';
import type { Cell, Comparison, Estimate, MetricComparison } from '#core/comparison/comparison.ts';

export const estimate = (mean: number, halfWidth: number | null): Estimate => ({
  rounds: 5,
  mean,
  standardDeviation: halfWidth,
  halfWidth,
});

const uncounted = {
  timedOutVisits: 0,
  excludedVisits: 0,
  lossyVisits: 0,
  leftOutVisits: 0,
  failures: null,
  timeouts: null,
};

export const cell = (scenario: string, label: string, own: Partial<Cell> = {}): Cell => ({
  scenario,
  userAgent: null,
  url: `http://origin.test/${label}`,
  label,
  variables: {},
  visits: 10,
  failedVisits: 0,
  ...uncounted,
  absentVisits: 0,
  estimate: estimate(100, 10),
  distribution: null,
  reduction: null,
  ...own,
});

function metric(id: MetricComparison['metric'], means: [number, number], cells: Cell[] = []): MetricComparison {
  const common = {
    ...uncounted,
    visits: 20,
    absentVisits: 0,
    distribution: null,
    blocks: [],
    contrast: null,
    reversal: null,
  };
  return {
    metric: id,
    familySize: 1,
    commonPages: { count: 2, of: 2 },
    scenarios: [
      {
        ...common,
        scenario: 'HTTP/1.1',
        isBaseline: true,
        failedVisits: 0,
        estimate: estimate(means[0], 12.3),
        reduction: null,
        meanReduction: null,
      },
      {
        ...common,
        scenario: 'HTTP/2',
        isBaseline: false,
        failedVisits: 3,
        estimate: estimate(means[1], 4.26),
        reduction: { blocks: 5, ratio: 0.234, low: -0.012, high: 0.41, p: 0.06, adjustedP: 0.06 },
        meanReduction: { blocks: 5, ratio: 0.181, low: -0.05, high: 0.33 },
      },
    ],
    cells,
  };
}

const partsOf = (parts: Partial<Record<CauseId, number>>) => causeIds.map((cause) => parts[cause] ?? 0);
const apart = { byPage: [], byUserAgent: [], examples: [] };

export const comparison: Comparison = {
  runId: '7',
  evaluationName: 'Two protocols',
  runState: 'completed',
  seed: 42,
  confidence: 0.95,
  intervalConfidence: 0.95,
  primaryMetric: 'totalMs',
  baseline: 'HTTP/1.1',
  scenarios: ['HTTP/1.1', 'HTTP/2'],
  userAgents: ['alice', 'bob'],
  conditions: [],
  sharedSettings: [],
  findings: ['With HTTP/2, these pages take 23 % less time to load than with HTTP/1.1.'],
  remarks: [],
  causes: {
    kind: 'split',
    metric: 'totalMs',
    confidence: 0.95,
    scenarios: [
      {
        scenario: 'HTTP/1.1',
        isBaseline: true,
        parts: partsOf({ connect: 812.4, receive: 699.6 }),
        difference: null,
        ...apart,
      },
      {
        scenario: 'HTTP/2',
        isBaseline: false,
        parts: partsOf({ connect: 400, receive: 758 }),
        difference: null,
        ...apart,
      },
    ],
    sentences: ['With HTTP/2, these pages take 354 ms less: −412 ms opening connections.'],
    visitsWithout: 0,
  },
  failedObjects: {
    rule: 'count',
    failureCode: null,
    scenarios: [
      {
        scenario: 'HTTP/1.1',
        visits: 20,
        unknownVisits: 0,
        failedObjects: 20,
        lostObjects: 0,
        lossyVisits: 0,
        difference: null,
      },
      {
        scenario: 'HTTP/2',
        visits: 17,
        unknownVisits: 0,
        failedObjects: 26,
        lostObjects: 9,
        lossyVisits: 1,
        difference: null,
      },
    ],
  },
  absences: [],
  noCapture: null,
  roundsCounted: 10,
  roundsBroken: 1,
  warmUpRounds: 2,
  unsettledVisits: 4,
  hiddenVisits: 0,
  hostLoad: { kind: 'absent', reason: 'Its Agent did not report it' },
  startSkew: { rounds: 10, medianMs: 1.2, largestMs: 2.345, errorMs: 0.41 },
  firstRequestSkew: { rounds: 10, medianMs: 2.1, largestMs: 4.4, errorMs: 3 },
  hostDelays: [],
  firstPacketSkew: { rounds: 10, medianMs: 4, largestMs: 7.77, errorMs: null },
  ending: null,
  exclusions: [],
  users: { kind: 'absent', reason: 'not compared' },
  bandwidth: { kind: 'absent', reason: 'not captured' },
  metrics: [
    metric('baseMs', [51.26, 40]),
    metric('viewportMs', [212, 180.4]),
    metric(
      'totalMs',
      [1512, 1158],
      [
        cell('HTTP/1.1', '1 image', { estimate: estimate(99.94, 1.25) }),
        cell('HTTP/2', '1 image', { estimate: estimate(88, null) }),
        cell('HTTP/1.1', '30 images', { estimate: estimate(2924, 31) }),
        cell('HTTP/2', '30 images', { estimate: null, failedVisits: 10 }),
        cell('HTTP/2', '30 images', { userAgent: 'alice', estimate: estimate(1, 1) }),
      ],
    ),
  ],
};
