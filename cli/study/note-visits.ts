import { z } from 'zod';
import type { MeasuredVisit, VisitPeriod } from '#cli/study/study-measurements.ts';
import { ByteSeriesSchema, cutSeries, sumSeries, type ByteSeries } from '#core/packets/measures/byte-series.ts';
import { ConnectionSchema } from '#core/packets/tcp/connection-detail.ts';
import type { BundleLine } from '#core/record/bundle-line.ts';
import { describePointTraffic } from '#core/record/point-traffic.ts';
import { studyMetricIds } from '#core/study/quantity.ts';

type Values = MeasuredVisit['values'];
type VisitLine = Extract<BundleLine, { kind: 'visit' }>;

/** What a bundle has of a Visit that counts, and its record has not. */
export interface NotedVisit {
  values: Values;
  bytesAt: NonNullable<MeasuredVisit['bytesAt']>;
  during: VisitPeriod;
}

/** What is needed of a stored capture outcome. */
const HandshakesSchema = z.object({
  statistics: z.object({ connections: z.array(ConnectionSchema.pick({ handshakeMs: true })) }),
});
const PointSeriesSchema = z.object({
  statistics: z.object({ throughput: z.object({ all: ByteSeriesSchema }) }),
  clockOffsetMs: z.number(),
});

interface PointSeries {
  point: string;
  series: ByteSeries;
  clockOffsetMs: number;
}

/** A Round that counts. */
interface NotedRound {
  points: PointSeries[];
  passes: number;
}

/** Notes what lines of a bundle have of each Visit that counts. */
export class VisitNotes {
  readonly #visits: { values: Values; round: NotedRound; during: VisitPeriod }[] = [];
  readonly #rounds = new Map<string, NotedRound>();
  readonly #roundOfPass = new Map<string, NotedRound>();
  readonly #points = new Map<string, { name: string; round: NotedRound }>();
  #wire: Extract<BundleLine, { kind: 'capture' }>['visits'] = {};
  #handshakeMs: number | null = null;
  /** Of the Visit before, which ends when the next of its Pass begins. */
  #lastPeriod: VisitPeriod | null = null;

  /** Passes lines on. */
  async *listen(lines: AsyncIterable<BundleLine>): AsyncGenerator<BundleLine> {
    for await (const line of lines) {
      yield line;
      this.#note(line);
    }
  }

  /** In the order of the record's Visits. To be called after the last line. */
  list(): NotedVisit[] {
    return this.#visits.map(({ round, ...visit }) => ({ ...visit, bytesAt: countBytes(visit.during, round) }));
  }

  #note(line: BundleLine): void {
    switch (line.kind) {
      case 'round':
        if (line.state === 'completed' && !line.warmUp) this.#rounds.set(line.id, { points: [], passes: 0 });
        break;
      case 'capture-point': {
        const round = this.#rounds.get(line.roundId);
        if (round) this.#points.set(line.id, { name: line.name, round });
        break;
      }
      case 'pass': {
        const round = this.#rounds.get(line.roundId);
        if (round) {
          round.passes += 1;
          this.#roundOfPass.set(line.id, round);
        }
        this.#wire = {};
        this.#handshakeMs = null;
        this.#lastPeriod = null;
        break;
      }
      case 'capture': {
        const point = this.#points.get(line.of);
        if (point) point.round.points.push(...readSeries(point.name, line.outcome));
        if (!this.#roundOfPass.has(line.of)) break;
        this.#wire = line.visits;
        this.#handshakeMs = findFirstHandshake(line.outcome);
        break;
      }
      case 'visit':
        this.#noteVisit(line);
        break;
      default:
    }
  }

  #noteVisit({ id, passId, repetition, startedEpochMs, readings }: VisitLine): void {
    if (this.#lastPeriod) this.#lastPeriod.untilEpochMs = startedEpochMs;
    const during = { passId, fromEpochMs: startedEpochMs, untilEpochMs: Infinity };
    this.#lastPeriod = during;
    const round = this.#roundOfPass.get(passId);
    if (!round || repetition === 0) return;
    const own = this.#wire[id];
    const values = pickKnown({
      ...readings,
      ...(own && {
        packets: own.packets,
        bytes: own.bytes,
        connections: own.openedConnections,
        unusedConnections: own.unusedConnections,
      }),
      handshakeMs: this.#handshakeMs,
    });
    this.#visits.push({ values, round, during });
  }
}

/** What crossed each point meanwhile, where no other Pass sent anything across it. */
function countBytes({ fromEpochMs, untilEpochMs }: VisitPeriod, { points, passes }: NotedRound) {
  if (passes !== 1) return {};
  return Object.fromEntries(
    points.map(({ point, series, clockOffsetMs }) => {
      const own = { fromEpochMs: fromEpochMs - clockOffsetMs, untilEpochMs: untilEpochMs - clockOffsetMs };
      return [point, sumSeries(cutSeries(series, own))];
    }),
  );
}

/** None of a Capture that counts too little. */
function readSeries(point: string, outcome: unknown): PointSeries[] {
  const traffic = describePointTraffic(outcome);
  if (traffic.kind === 'absent' || traffic.counts.hasDrops) return [];
  const { data } = PointSeriesSchema.safeParse(outcome);
  return data ? [{ point, series: data.statistics.throughput.all, clockOffsetMs: data.clockOffsetMs }] : [];
}

/** Null where the first TCP connection of a capture was not opened in it, or there is none. */
function findFirstHandshake(outcome: unknown): number | null {
  return HandshakesSchema.safeParse(outcome).data?.statistics.connections[0]?.handshakeMs ?? null;
}

function pickKnown(given: Readonly<Record<string, number | null | undefined>>): Values {
  return Object.fromEntries(
    studyMetricIds.flatMap((metric) => {
      const value = given[metric];
      return typeof value === 'number' ? [[metric, value]] : [];
    }),
  );
}
