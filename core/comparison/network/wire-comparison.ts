import { z } from 'zod';
import { EstimateSchema } from '../estimate.ts';

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

export const ScenarioWireSchema = z.object({
  scenario: z.string(),
  /** Rounds in which the packets of every Pass were captured. */
  roundsCounted: z.number().int(),
  roundsLeftOut: z.number().int(),
  /** Mean over Rounds of all packets of a Round over its Visits; null when no Round counts, or none of its packets is of TCP where the figure is one of TCP. */
  figures: z.record(z.enum(wireFigureIds), EstimateSchema.nullable()),
  /** Why Rounds are left out whose packets hold less than the browsers received; missing where there are none. */
  shortfall: z.string().optional(),
});
export type ScenarioWire = z.infer<typeof ScenarioWireSchema>;

/** Bytes that a Pass received, by its packets and by its browser. */
export interface Shortfall {
  packetBytes: number;
  browserBytes: number;
}

/** What the Visits of each Scenario cost on the wire. */
export const WireComparisonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), scenarios: z.array(ScenarioWireSchema) }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type WireComparison = z.infer<typeof WireComparisonSchema>;
