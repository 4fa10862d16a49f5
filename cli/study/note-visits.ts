import { z } from 'zod';
import type { MeasuredVisit, VisitPeriod } from '#cli/study/study-measurements.ts';
import { ByteSeriesSchema, cutSeries, sumSeries, type ByteSeries } from '#core/packets/measures/byte-series.ts';
import { ConnectionSchema } from '#core/packets/tcp/connection-detail.ts';
import type { BundleLine } from '#core/record/bundle-line.ts';
import { describePointTraffic } from '#core/record/point-traffic.ts';
import { addReceived, isShortCapture, type BrowserTraffic } from '#core/record/round-traffic.ts';
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

/** The Pass that is read. Whether its Capture holds all of it is known after its Visits. */
interface NotedPass {
  capture: Pick<Extract<BundleLine, { kind: 'capture' }>, 'outcome' | 'visits'> | null;
  handshakeMs: number | null;
  received: BrowserTraffic;
  visits: { id: string; values: Values }[];
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
  #pass = notePass();
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
    addPackets(this.#pass);
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
        addPackets(this.#pass);
        this.#pass = notePass();
        this.#lastPeriod = null;
        break;
      }
      case 'capture': {
        const point = this.#points.get(line.of);
        if (point) point.round.points.push(...readSeries(point.name, line.outcome));
        if (!this.#roundOfPass.has(line.of)) break;
        this.#pass.capture = line;
        this.#pass.handshakeMs = findFirstHandshake(line.outcome);
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
    const pass = this.#pass;
    pass.received = addReceived(pass.received, readings);
    const round = this.#roundOfPass.get(passId);
    if (!round || repetition === 0) return;
    const values = pickKnown({ ...readings, handshakeMs: pass.handshakeMs });
    pass.visits.push({ id, values });
    this.#visits.push({ values, round, during });
  }
}

function notePass(): NotedPass {
  return { capture: null, handshakeMs: null, received: { bytes: null, objects: null }, visits: [] };
}

/** Adds what the packets say to the values of the Visits, unless their Capture lacks some. */
function addPackets({ capture, received, visits }: NotedPass): void {
  if (capture === null || isShortCapture(capture.outcome, received)) return;
  for (const { id, values } of visits) {
    const own = capture.visits[id];
    if (!own) continue;
    const { packets, bytes, openedConnections: connections, unusedConnections } = own;
    Object.assign(values, pickKnown({ packets, bytes, connections, unusedConnections }));
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
