import { isIPv6 } from 'node:net';
import { tunnelInterface } from '#core/evaluation/network/tunnel-settings.ts';
import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import { runIn, type Enter } from '../namespaces/run-tool.ts';
import { tunnelMark } from './tunnel-end.ts';
import { z } from 'zod';

const InterfacesSchema = z.tuple([
  z.object({
    link_type: z.string(),
    stats64: z.object({ tx: z.object({ packets: z.number(), bytes: z.number() }) }),
  }),
]);
const ethernetHeaderBytes = 14;

export interface CountedEnd {
  enter: Enter;
  /** By which it sends into the link. */
  interface: string;
  /** How a packet between users and origin is recognised here: by the origin's addresses, as its source or its destination. */
  origin: { is: 'source' | 'destination'; addresses: readonly string[] };
}

const comment = 'http-ae-beside-tunnel';
const tools = { 4: 'iptables', 6: 'ip6tables' } as const;
type Version = keyof typeof tools;
const versionOf = (address: string): Version => (isIPv6(address) ? 6 : 4);

/** Counts what one end sends into its tunnel and into the link, and what passes beside the tunnel. Disposing removes the rules. */
export class TunnelCounters implements AsyncDisposable {
  readonly #end: CountedEnd;
  readonly #rules: AsyncDisposable;

  constructor(end: CountedEnd, rules: AsyncDisposable) {
    this.#end = end;
    this.#rules = rules;
  }

  /** Since the interfaces were made. */
  async read(): Promise<TunnelCounts> {
    const { enter, interface: name, origin } = this.#end;
    const versions = [...new Set(origin.addresses.map(versionOf))];
    const [inner, outer, ...tables] = await Promise.all([
      readSentTraffic(enter, tunnelInterface),
      readSentTraffic(enter, name),
      ...versions.map((version) => runIn(enter, `${tools[version]}-save`, '--counters', '--table', 'mangle')),
    ]);
    return {
      innerPackets: inner.packets,
      innerBytes: inner.ipBytes,
      outerPackets: outer.packets,
      outerBytes: outer.ipBytes,
      strayPackets: readStrays(tables.join('\n')),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rules[Symbol.asyncDispose]();
  }
}

export async function openTunnelCounters(end: CountedEnd): Promise<TunnelCounters> {
  const { enter, interface: name, origin } = end;
  await using undo = new AsyncDisposableStack();
  for (const address of origin.addresses) {
    for (const protocol of ['tcp', 'udp']) {
      const unmarked = ['-m', 'mark', '!', '--mark', `${tunnelMark}`];
      // A rule without a target counts and changes nothing.
      const rule = [
        '-o',
        name,
        `--${origin.is}`,
        address,
        '-p',
        protocol,
        ...unmarked,
        '-m',
        'comment',
        '--comment',
        comment,
      ];
      const change = (action: '--append' | '--delete') =>
        runIn(enter, tools[versionOf(address)], '--wait', '10', '--table', 'mangle', action, 'POSTROUTING', ...rule);
      await change('--append');
      undo.defer(async () => {
        await change('--delete');
      });
    }
  }
  return new TunnelCounters(end, undo.move());
}

/** Adds up the packets that `iptables-save --counters` lists, `[packets:bytes] -A POSTROUTING …`. */
export function readStrays(table: string): number {
  return [...table.matchAll(/^\[(\d+):\d+\] -A POSTROUTING .*--comment "?http-ae-beside-tunnel"?/gm)]
    .map(([, packets]) => Number(packets))
    .reduce((sum, packets) => sum + packets, 0);
}

/** What an interface has sent, as IP packets. The kernel counts them where they leave, cut to their size on the wire. */
async function readSentTraffic(enter: Enter, name: string): Promise<{ packets: number; ipBytes: number }> {
  const output = await runIn(enter, 'ip', '-json', '-statistics', 'link', 'show', 'dev', name);
  const [{ link_type: type, stats64 }] = InterfacesSchema.parse(JSON.parse(output));
  const { packets, bytes } = stats64.tx;
  return { packets, ipBytes: type === 'ether' ? bytes - ethernetHeaderBytes * packets : bytes };
}

/** What passed one end, in the direction in which it sends. */
interface TunnelCounts {
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
