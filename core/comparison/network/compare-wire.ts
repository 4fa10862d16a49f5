import { z } from 'zod';
import { estimateMean, EstimateSchema } from '../estimate.ts';

/** The packets of one Pass; null where a figure is not known. */
export interface PassWire {
  visits: number;
  /** Null when its packets were not captured, or hold less than the browser received. */
  counts: Record<WireFigure, number | null> | null;
  /** Of the latter. */
  shortfall: Shortfall | null;
  /** Its Capture ended before it, at the longest trace: then there are no counts. */
  isLimited?: boolean;
  /** Its Capture dropped packets, so that its counts are too small. */
  hasDrops?: boolean;
}

export interface RoundWire {
  scenario: string;
  passes: PassWire[];
}

/** What a Visit costs on the wire in each Scenario. `rounds` has every counted Round of a Run, captured or not. */
export function compareWire(
  rounds: readonly RoundWire[],
  { scenarios, confidence }: { scenarios: string[]; confidence: number },
): WireComparison {
  const compared = scenarios.map((scenario): ScenarioWire => {
    const own = rounds.filter((round) => round.scenario === scenario);
    const counted = own.filter(isCaptured);
    const figures = wireFigureIds.map(
      (figure) =>
        [
          figure,
          estimateMean(
            counted.flatMap((round) => perVisit(round, figure) ?? []),
            confidence,
          ),
        ] as const,
    );
    const dropping = counted.filter(({ passes }) => passes.some(({ hasDrops }) => hasDrops)).length;
    return {
      scenario,
      roundsCounted: counted.length,
      roundsLeftOut: own.length - counted.length,
      figures: Object.fromEntries(figures) as ScenarioWire['figures'],
      ...(dropping > 0 && { roundsWithDrops: dropping }),
      ...stateShortfall(own),
    };
  });
  if (compared.every(({ roundsCounted }) => roundsCounted === 0)) {
    const short = compared.find(({ shortfall }) => shortfall !== undefined);
    return {
      kind: 'absent',
      reason:
        short?.shortfall ??
        'No counted Round has a Capture of every Pass. Enable "capture", and use User Agents whose packets can be distinguished from those of others.',
    };
  }
  return { kind: 'measured', scenarios: compared };
}

/** What the packets of a Scenario lack, in words; nothing where they lack nothing. */
function stateShortfall(rounds: readonly RoundWire[]): Pick<ScenarioWire, 'shortfall'> {
  const sentences = [...stateLimited(rounds), ...stateShort(rounds)];
  return sentences.length === 0 ? {} : { shortfall: sentences.join(' ') };
}

function stateLimited(rounds: readonly RoundWire[]): string[] {
  const affected = rounds.filter(({ passes }) => passes.some(({ isLimited }) => isLimited)).length;
  if (affected === 0) return [];
  return [
    `In ${affected} of ${rounds.length} Rounds a Capture reached the longest trace that the Evaluation allows. Raise "maxBytesPerPass", or lower "snapBytes".`,
  ];
}

function stateShort(rounds: readonly RoundWire[]): string[] {
  const short = rounds.flatMap(({ passes }) => passes.flatMap(({ shortfall }) => shortfall ?? []));
  if (short.length === 0) return [];
  const affected = rounds.filter(({ passes }) => passes.some(({ shortfall }) => shortfall !== null)).length;
  const mean = (of: keyof Shortfall) => show(short.reduce((sum, each) => sum + each[of], 0) / short.length);
  return [
    `In ${affected} of ${rounds.length} Rounds the packets hold less than the browsers received: ${mean('packetBytes')} of ${mean('browserBytes')} a Pass, on average. Pages at the host’s own addresses, and what a program on the host fetches for a browser, pass another interface. Name it in "interface".`,
  ];
}

function show(bytes: number): string {
  if (bytes < 999.5) return `${bytes.toFixed(0)} bytes`;
  // As many digits as a number without an exponent has.
  return `${bytes < 999_500 ? (bytes / 1000).toPrecision(3) : (bytes / 1000).toFixed(0)} kB`;
}

function isCaptured({ passes }: RoundWire): boolean {
  return passes.length > 0 && passes.every(({ counts }) => counts !== null) && passes.some(({ visits }) => visits > 0);
}

function perVisit({ passes }: RoundWire, figure: WireFigure): number | null {
  const counts = passes.map((pass) => pass.counts?.[figure] ?? null);
  if (counts.includes(null)) return null;
  const visits = passes.reduce((total, pass) => total + pass.visits, 0);
  return counts.reduce((total: number, count) => total + count!, 0) / visits;
}

/** What a Visit costs on the wire: its name for people, and its definition. */
export const wireFigures = {
  packets: { label: 'Packets', definition: 'Packets to and from the User Agents, per Visit.' },
  bytes: { label: 'Bytes', definition: 'Bytes on the wire to and from the User Agents, including headers, per Visit.' },
  connections: {
    label: 'Connections opened',
    definition:
      'TCP and QUIC connections that the User Agents opened during their Visits, per Visit. The export has them as wire_connections.',
  },
  unusedConnections: {
    label: 'Opened, not used',
    definition: 'Opened TCP connections without a request, per Visit. The export has them as wire_unused_connections.',
  },
  signalling: {
    label: 'Signalling packets',
    definition: 'TCP segments without payload, such as acknowledgements, per Visit.',
  },
  retransmissions: {
    label: 'Retransmissions',
    definition:
      'TCP segments seen again at the User Agent’s interface, per Visit. Segments lost before this interface are not counted.',
  },
} as const;
export type WireFigure = keyof typeof wireFigures;
export const wireFigureIds = Object.keys(wireFigures) as [WireFigure, ...WireFigure[]];

const ScenarioWireSchema = z.object({
  scenario: z.string(),
  /** Rounds in which the packets of every Pass were captured. */
  roundsCounted: z.number().int(),
  roundsLeftOut: z.number().int(),
  /** Mean over Rounds of all packets of a Round over its Visits; null when no Round counts, or none of its packets is of TCP where the figure is one of TCP. */
  figures: z.record(z.enum(wireFigureIds), EstimateSchema.nullable()),
  /** Of those that count: a Capture dropped packets, so that the figures are too small. Missing where none did. */
  roundsWithDrops: z.number().int().optional(),
  /** Why Rounds are left out whose packets hold less than the browsers received, or less than the Pass; missing where there are none. */
  shortfall: z.string().optional(),
});
export type ScenarioWire = z.infer<typeof ScenarioWireSchema>;

/** Bytes that a Pass received, by its packets and by its browser. */
interface Shortfall {
  packetBytes: number;
  browserBytes: number;
}

/** What the Visits of each Scenario cost on the wire. */
export const WireComparisonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), scenarios: z.array(ScenarioWireSchema) }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type WireComparison = z.infer<typeof WireComparisonSchema>;
