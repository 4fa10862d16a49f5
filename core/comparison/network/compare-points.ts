import { z } from 'zod';
import type { PointTraffic, PointCounts } from '../../record/point-traffic.ts';
import { findOpposite, type ComparedGroup } from '../compared-group.ts';
import {
  findAbsence,
  listCounts,
  CountedRoundsSchema,
  readValues,
  type CountedRound,
} from '../counted/counted-rounds.ts';
import {
  estimateCounted,
  CountedValueSchema,
  type CountedFigure,
  type ValuesByBlock,
} from '../counted/counted-value.ts';

interface Design {
  points: readonly string[];
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  confidence: number;
  /** Scenarios without a change against the baseline. */
  notComparable?: ReadonlySet<string>;
}

/** What crossed each Capture Point in each Scenario. `traffic` has every Capture Point of each counted Round of a Run, captured or not. */
export function comparePoints(traffic: readonly PointTraffic[], design: Design): PointComparison[] {
  const byPoint = Map.groupBy(traffic, ({ point }) => point);
  return design.points.map((point) => {
    const byScenario = Map.groupBy(byPoint.get(point) ?? [], ({ scenario }) => scenario);
    return {
      point,
      scenarios: design.scenarios.map((scenario) => {
        const baseline = findOpposite(design, scenario);
        return summarize(scenario, {
          own: byScenario.get(scenario) ?? [],
          baseline: baseline === null ? null : (byScenario.get(baseline) ?? []),
          confidence: design.confidence,
        });
      }),
    };
  });
}

interface Compared {
  own: readonly PointTraffic[];
  /** Null without a baseline to compare with. */
  baseline: readonly PointTraffic[] | null;
  confidence: number;
}

function summarize(scenario: string, { own, baseline, confidence }: Compared): ScenarioAtPoint {
  const rounds = listCaptured(own);
  const counted = listCounts(rounds).map(({ counts }) => counts);
  const figures = pointFigureIds.map((figure) => {
    const against = baseline && readPointValues(baseline, figure);
    return [figure, estimateCounted(readPointValues(own, figure), { against, confidence })] as const;
  });
  return {
    scenario,
    roundsCounted: counted.length,
    roundsLeftOut: own.length - counted.length,
    leftOutReason: findAbsence(rounds),
    roundsWithDrops: counted.filter(({ hasDrops }) => hasDrops).length,
    roundsWithEncryption: counted.filter(({ hasEncryption }) => hasEncryption).length,
    figures: Object.fromEntries(figures) as ScenarioAtPoint['figures'],
  };
}

/** What is counted at a Capture Point in each Round: its name for people, and its definition. */
export const pointFigures = {
  packets: { label: 'Packets', unit: 'count', definition: 'Packets that crossed the Capture Point, per Round.' },
  bytes: { label: 'Bytes', unit: 'bytes', definition: 'Their bytes on the wire, including headers, per Round.' },
  connections: {
    label: 'Connections',
    unit: 'count',
    definition: 'TCP connections seen at the Capture Point, per Round.',
  },
  retransmissions: {
    label: 'Retransmissions',
    unit: 'count',
    definition:
      'TCP segments seen again at the Capture Point, per Round. Segments lost before this interface are not counted.',
  },
  httpRequests: {
    label: 'HTTP requests',
    unit: 'count',
    definition:
      'Requests of HTTP/1.x in plain text that crossed the Capture Point, per Round. Encrypted requests and those of HTTP/2 cannot be seen.',
  },
} as const satisfies Record<string, CountedFigure>;
export type PointFigure = keyof typeof pointFigures;
export const pointFigureIds = Object.keys(pointFigures) as [PointFigure, ...PointFigure[]];

/** `roundsCounted`: that were captured to their end. */
const ScenarioAtPointSchema = CountedRoundsSchema.extend({
  /** Of those that count: the capture dropped packets, so that its counts are too small. */
  roundsWithDrops: z.number().int(),
  /** Of those that count: some of the traffic was encrypted (TLS or QUIC), so that requests in it are not counted. */
  roundsWithEncryption: z.number().int(),
  figures: z.record(z.enum(pointFigureIds), CountedValueSchema),
});
export type ScenarioAtPoint = z.infer<typeof ScenarioAtPointSchema>;

/** What crossed one Capture Point in each Scenario. */
export const PointComparisonSchema = z.object({ point: z.string(), scenarios: z.array(ScenarioAtPointSchema) });
export type PointComparison = z.infer<typeof PointComparisonSchema>;

/**
 * A figure at one Capture Point in one Scenario. Requests are judged over all its Rounds, not Round by Round: without a plain request in any of them,
 * encrypted traffic in one leaves open how many there were. With one, a Round without counts as 0.
 */
export function readPointValues(traffic: readonly PointTraffic[], figure: PointFigure): ValuesByBlock {
  const rounds = listCaptured(traffic);
  const values = readValues(rounds, { read: (counts) => readCount(counts, figure), explain: explainNoCount });
  const isUnseen =
    figure === 'httpRequests' &&
    values.kind === 'known' &&
    [...values.byBlock.values()].every((requests) => requests === 0) &&
    listCounts(rounds).some(({ counts }) => counts.hasEncryption);
  return isUnseen
    ? { kind: 'absent', reason: 'The traffic was encrypted (TLS or QUIC), so its requests cannot be seen.' }
    : values;
}

function listCaptured(traffic: readonly PointTraffic[]): CountedRound<PointCounts>[] {
  return traffic.map(({ block, captured }) => ({ block, counted: captured }));
}

function readCount(counts: PointCounts, figure: PointFigure): number | null {
  return figure === 'packets' || figure === 'bytes' ? counts[figure] : (counts.tcp?.[figure] ?? null);
}

function explainNoCount(counted: readonly PointCounts[]): string {
  return counted.every(({ tcp }) => tcp === null)
    ? 'The packets of this interface cannot be decoded.'
    : 'Its Agent is older than the count of HTTP requests.';
}
