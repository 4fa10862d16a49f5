import type { UserTraffic } from '../../record/round-traffic.ts';

/**
 * The bytes that each User Agent received over the time when all were active: from the latest of their first packets to the earliest of
 * their last ones, both exact. Bytes are taken from bins of 100 ms (longer in very long Passes): a bin counts when its middle falls in that time.
 * Null when they were never active together, or nobody received anything then.
 */
export function shareBandwidth(
  users: readonly UserTraffic[],
): { userAgent: string; bytes: number; share: number }[] | null {
  const fromEpochMs = Math.max(...users.map((user) => user.firstPacketEpochMs));
  const toEpochMs = Math.min(...users.map((user) => user.lastPacketEpochMs));
  const counted = users.map((user) => ({
    userAgent: user.userAgent,
    bytes: countBytes(user, { fromEpochMs, toEpochMs }),
  }));
  const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
  return total === 0 ? null : counted.map((user) => ({ ...user, share: user.bytes / total }));
}

function countBytes(
  { received, clockOffsetMs }: UserTraffic,
  time: { fromEpochMs: number; toEpochMs: number },
): number {
  const { binMs, bins, bytes } = received;
  return bins.reduce((total, bin, index) => {
    const middleEpochMs = (bin + 0.5) * binMs + clockOffsetMs;
    return middleEpochMs >= time.fromEpochMs && middleEpochMs <= time.toEpochMs ? total + bytes[index]! : total;
  }, 0);
}
