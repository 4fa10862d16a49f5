import { z } from 'zod';

export const TrafficSchema = z.object({ packets: z.int().nonnegative(), bytes: z.int().nonnegative() });
/** Packets, and their bytes on the wire with all headers. */
export type Traffic = z.infer<typeof TrafficSchema>;

export function noTraffic(): Traffic {
  return { packets: 0, bytes: 0 };
}

export function addPacket(traffic: Traffic, bytes: number): void {
  traffic.packets++;
  traffic.bytes += bytes;
}
