import { z } from 'zod';
import { ByteSeriesSchema, type ByteSeries } from '../packets/measures/byte-series.ts';
import { RepairsSchema, type Repairs } from '../packets/tcp/loss-repairs.ts';

/** What one User Agent received in a Round; times on one clock, that of the Controller. */
export interface UserTraffic {
  userAgent: string;
  firstPacketEpochMs: number;
  lastPacketEpochMs: number;
  received: ByteSeries;
  /** When losses of it were repaired; null where its Capture does not say. */
  repairs: Repairs | null;
  /** What is added to the times of `received` and `repairs` to have them on that clock. */
  clockOffsetMs: number;
}

export interface RoundTraffic {
  block: number;
  scenario: string;
  /** Of those User Agents whose packets were captured. */
  users: UserTraffic[];
  hasDrops: boolean;
}

const epochMs = z.string().transform((nanoseconds) => Number(nanoseconds) / 1e6);

/** The part of a Capture that says what its User Agent received. A Capture without packets, or without directions, does not. */
const CapturedTrafficSchema = z.object({
  statistics: z.object({
    startEpochNs: epochMs,
    endEpochNs: epochMs,
    throughput: z.object({ received: ByteSeriesSchema }),
    repairs: RepairsSchema.nullish(),
  }),
  clockOffsetMs: z.number(),
  droppedByKernel: z.number(),
  droppedByInterface: z.number(),
});

/** What the browser of a Pass received, by the Readings of its Visits; null where none of them has it. */
export interface BrowserTraffic {
  bytes: number | null;
  objects: number | null;
}

/** The same with one Visit more. */
export function addReceived(
  { bytes, objects }: BrowserTraffic,
  { receivedBytes, objectCount }: Readonly<Record<string, number | undefined>>,
): BrowserTraffic {
  return { bytes: addKnown(bytes, receivedBytes), objects: addKnown(objects, objectCount) };
}

function addKnown(sum: number | null, value: number | undefined): number | null {
  return value === undefined ? sum : (sum ?? 0) + value;
}

const ReceivedSchema = z.object({
  isLimited: z.boolean(),
  statistics: z.object({ directions: z.object({ received: z.object({ bytes: z.number() }) }).nullable() }),
});

/** Whether a Capture holds less than its Pass, as the view `pass_capture` of the database says it. */
export function isShortCapture(outcome: unknown, { bytes, objects }: BrowserTraffic): boolean {
  const { data } = ReceivedSchema.safeParse(outcome);
  if (data === undefined) return false;
  const { directions } = data.statistics;
  if (data.isLimited || directions === null || bytes === null) return data.isLimited;
  return directions.received.bytes < Math.max(bytes / 4, bytes - 1000 * (objects ?? Infinity));
}

/** What the User Agents of one Round received, from the outcomes of their Captures that hold all of it; null of one that has none. */
export function describeRoundTraffic(
  round: Pick<RoundTraffic, 'block' | 'scenario'>,
  passes: readonly { userAgent: string; outcome: unknown }[],
): RoundTraffic {
  const captured = passes.flatMap(({ userAgent, outcome }) => {
    const traffic = CapturedTrafficSchema.safeParse(outcome).data;
    return traffic ? [{ userAgent, ...traffic }] : [];
  });
  return {
    ...round,
    users: captured.map(({ userAgent, statistics, clockOffsetMs }) => ({
      userAgent,
      received: statistics.throughput.received,
      repairs: statistics.repairs ?? null,
      clockOffsetMs,
      firstPacketEpochMs: statistics.startEpochNs + clockOffsetMs,
      lastPacketEpochMs: statistics.endEpochNs + clockOffsetMs,
    })),
    hasDrops: captured.some(({ droppedByKernel, droppedByInterface }) => droppedByKernel + droppedByInterface > 0),
  };
}
