import type { PointTraffic } from '#core/record/point-traffic.ts';

interface CountedPoint {
  point?: string;
  scenario: string;
  block: number;
  /** Of 1000 bytes each. */
  packets: number;
  /** By default 31. */
  httpRequests?: number | null;
}

/** What crossed a Capture Point in one Round that was captured to its end: 4 connections, nothing encrypted, nothing dropped. */
export function countPoint({
  point = 'ground',
  scenario,
  block,
  packets,
  httpRequests = 31,
}: CountedPoint): PointTraffic {
  return {
    block,
    scenario,
    point,
    captured: {
      kind: 'counted',
      counts: {
        packets,
        bytes: 1000 * packets,
        tcp: { connections: 4, retransmissions: 0, httpRequests },
        hasEncryption: false,
        hasDrops: false,
      },
    },
  };
}
