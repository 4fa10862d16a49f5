import { isIPv6 } from 'node:net';
import { tunnelInterface } from '#core/evaluation/network/tunnel-settings.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { tunnelMark } from './tunnel-end.ts';
import type { TunnelCounts } from './tunnel-traffic.ts';
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
