import type { NetworkFigure } from '#core/protocol/network-figure.ts';

/** What passed one end, in the direction in which it sends. */
export interface TunnelCounts {
  innerPackets: number;
  innerBytes: number;
  outerPackets: number;
  outerBytes: number;
  /** TCP and UDP packets between users and origin that were sent beside the tunnel. */
  strayPackets: number;
}

export interface TunnelTraffic {
  forward: TunnelCounts;
  return: TunnelCounts;
}

/** What passed between two readings. */
export function subtractCounts(counts: TunnelCounts, before: TunnelCounts): TunnelCounts {
  return {
    innerPackets: counts.innerPackets - before.innerPackets,
    innerBytes: counts.innerBytes - before.innerBytes,
    outerPackets: counts.outerPackets - before.outerPackets,
    outerBytes: counts.outerBytes - before.outerBytes,
    strayPackets: counts.strayPackets - before.strayPackets,
  };
}

/** What is wrong with the packets of the connection that tries a tunnel. */
export function findFaultsOfTry({ forward, return: back }: TunnelTraffic): string[] {
  const passed = [forward, back].every(({ innerPackets, outerPackets }) => innerPackets > 0 && outerPackets > 0);
  return [
    ...(passed ? [] : ['no packets of it passed the tunnel both ways']),
    ...(forward.strayPackets + back.strayPackets > 0 ? ['packets of it passed beside the tunnel'] : []),
  ];
}

/** The connection that tries a tunnel may end after the Round began: packets without data, at most four for each of two. A page takes more, even an empty one. */
const restOfCheckBytes = 8 * 60;

/** Why a Round is no measurement of the tunnel; null where it is one. */
export function findTunnelFault({ forward, return: back }: TunnelTraffic): string | null {
  const strayPackets = forward.strayPackets + back.strayPackets;
  if (strayPackets > 0)
    return `${strayPackets} packets between users and origin crossed the link outside of the tunnel. Look for rules or routes of your scripts that lead there`;
  return forward.innerBytes + back.innerBytes <= restOfCheckBytes
    ? 'nothing passed the tunnel in this Round. The URLs must be at the address of ground'
    : null;
}

/** What a tunnel carried, and what it took for it on the link. Bytes are those of IP packets. */
export function tunnelFigures({ forward, return: back }: TunnelTraffic): NetworkFigure[] {
  const inKilobytes = (figure: string, bytes: number) => ({ figure, unit: 'kB', value: bytes / 1000 }) as const;
  const inner = forward.innerBytes + back.innerBytes;
  const outer = forward.outerBytes + back.outerBytes;
  return [
    inKilobytes('forward in the tunnel', forward.innerBytes),
    inKilobytes('forward by the tunnel on the link', forward.outerBytes),
    inKilobytes('return in the tunnel', back.innerBytes),
    inKilobytes('return by the tunnel on the link', back.outerBytes),
    { figure: 'tunnel overhead', unit: '%', value: inner > 0 ? (outer / inner - 1) * 100 : null },
  ];
}
