import type { Losses } from './count-losses.ts';

/** What was seen of the link. */
export interface LinkMeasurement {
  /** Of the probes that came back, in the order in which they did. */
  roundTripsMs: number[];
  probesSent: { forward: number; return: number };
  probesLost: { forward: Losses; return: Losses };
  /** At the receiver, between the first and the last full packet. Null where nothing was loaded, or fewer than two came. */
  rate: Record<'forward' | 'return', { kbps: number; packets: number; overMs: number } | null>;
}
