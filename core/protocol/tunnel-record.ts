import { z } from 'zod';
import { TunnelSchema, tunnelNames } from '../evaluation/network/tunnel-settings.ts';

/** A tunnel as it was set up for a Round. */
export const TunnelRecordSchema = z.object({
  ...TunnelSchema.shape,
  /** What encrypts, such as `wireguard-go`. */
  program: z.string().max(64),
  /** The largest IP packet that passes it whole. */
  mtuBytes: z.number().int().positive(),
  /** What it adds to each IP packet. */
  overheadBytes: z.number().int().positive(),
});
export type TunnelRecord = z.infer<typeof TunnelRecordSchema>;

/** `WireGuard (wireguard-go) from user to origin, MTU 1440 bytes, 60 bytes more per packet`. */
export function describeTunnel({ kind, program, from, to, mtuBytes, overheadBytes }: TunnelRecord): string {
  return `${tunnelNames[kind]} (${program}) from ${from} to ${to}, MTU ${mtuBytes} bytes, ${overheadBytes} bytes more per packet`;
}
