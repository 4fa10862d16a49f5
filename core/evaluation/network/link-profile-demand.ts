import { z } from 'zod';
import { durationMs } from '../units.ts';

const kbps = () =>
  z
    .number({ error: 'must be a number of kilobits per second' })
    .min(0, 'must be at least 0')
    .max(10_000_000, 'must be at most 10000000 kbps');

interface Capacities {
  constantKbps: number;
  rateBasedMaxKbps: number;
  volumeBasedMaxKbps: number;
}

/**
 * Capacity that follows demand, as a terminal of DVB-RCS has it (ETSI EN 301 790, 6.6.1): a constant assignment always, and
 * on request for the rate of arrival and a part of the queue (rate-based), and for what that does not cover (volume-based). Granted once per frame.
 */
export const RateOnDemandSchema = z
  .strictObject({
    constantKbps: kbps().default(0).describe('Constant rate assignment (CRA), in kb/s.'),
    rateBasedMaxKbps: kbps()
      .default(0)
      .describe('The most that is granted for the rate of arrival and for draining the queue (RBDC), in kb/s.'),
    volumeBasedMaxKbps: kbps()
      .default(0)
      .describe('The most that is granted for queued bytes that no rate request covers (VBDC), in kb/s.'),
    frameMs: durationMs({ min: 1, max: 10_000 })
      .default(26.5)
      .describe('Capacity is granted once per frame of this length.'),
    grantDelayMs: durationMs({ min: 0, max: 60_000 })
      .optional()
      .describe('From a request to its grant. Without it, the round trip of the link.'),
  })
  .refine((demand) => peakKbpsOnDemand(demand) > 0, {
    message:
      'needs constantKbps, rateBasedMaxKbps or volumeBasedMaxKbps above 0: nothing crosses a link without a rate',
  });

export type RateOnDemand = z.infer<typeof RateOnDemandSchema>;

/** The most that a link with capacity on demand can carry. */
export function peakKbpsOnDemand({ constantKbps, rateBasedMaxKbps, volumeBasedMaxKbps }: Capacities): number {
  return constantKbps + rateBasedMaxKbps + volumeBasedMaxKbps;
}
