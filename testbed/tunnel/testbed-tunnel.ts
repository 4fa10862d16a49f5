import { isIPv6 } from 'node:net';
import { AppError } from '#core/app-error.ts';
import { tunnelInterface, type Tunnel } from '#core/evaluation/network/tunnel-settings.ts';
import type { RoundEnd } from '#core/protocol/network-figure.ts';
import type { TunnelRecord } from '#core/protocol/tunnel-record.ts';
import { enableIpv6 } from '../namespaces/connect-ipv6.ts';
import { ToolError, runIn, type Enter } from '../namespaces/run-tool.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { limitWindow, refuseOtherReceiveBuffer } from '../tcp/limit-window.ts';
import { planRoutes, routeTunnel } from './route-tunnel.ts';
import {
  openTunnelCounters,
  findFaultsOfTry,
  findTunnelFault,
  subtractCounts,
  tunnelFigures,
  type TunnelCounters,
  type TunnelTraffic,
} from './tunnel-counters.ts';
import type { TunnelDevice, TunnelEnd, TunnelEnds } from './tunnel-end.ts';
import { z } from 'zod';
import { observeConnection } from '../tcp/observe-connection.ts';

const rule = '-p tcp --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu'.split(' ');

const InterfacesSchema = z.tuple([z.object({ mtu: z.number() })]);

/** The addresses of all users, and which of them are in `remote` itself. */
export interface TunnelUsers {
  addresses: readonly string[];
  inRemote: readonly string[];
}

/** RFC 8200, 5. */
const leastIpv6Bytes = 1280;

/** A tunnel of one Scenario. Disposing of it takes all back. */
export class TestbedTunnel implements AsyncDisposable {
  readonly #tunnel: Tunnel;
  readonly #device: TunnelDevice;
  readonly #ends: TunnelEnds;
  readonly #network: TestbedNetwork;
  readonly #resources = new AsyncDisposableStack();
  /** What both ends had counted when the Round could begin; null before that. */
  #begun: { counters: CountedEnds; before: TunnelTraffic } | null = null;

  constructor(parts: { tunnel: Tunnel; device: TunnelDevice; ends: TunnelEnds; network: TestbedNetwork }) {
    this.#tunnel = parts.tunnel;
    this.#device = this.#resources.use(parts.device);
    this.#ends = parts.ends;
    this.#network = parts.network;
  }

  /** Leads all that passes between users and origin into the tunnel, both ways, and tries it by a connection. Throws `testbed-refused`, `testbed-failed`. */
  async carry(users: TunnelUsers): Promise<TunnelRecord> {
    const mtuBytes = await this.#setMtu();
    if (this.#tunnel.from === 'user') await this.#addAddresses(users.inRemote);
    for (const end of [this.#ends.origin, this.#ends.user]) await this.#setTcp(end);
    await this.#route(users);
    // Not before: what was sent earlier, such as the end of a connection, may have gone by the link.
    const counters = await this.#openCounters();
    const before = await checkTunnel(this.#network, { mtuBytes, ends: this.#ends, counters });
    this.#begun = { counters, before };
    const { program, overheadBytes } = this.#device;
    return { ...this.#tunnel, program, mtuBytes, overheadBytes };
  }

  /** What has passed since it carries. */
  async endRound(): Promise<RoundEnd> {
    const failure = this.#device.explainFailure();
    if (failure !== null) return { figures: [], fault: `the tunnel broke: ${failure}` };
    if (this.#begun === null) throw new Error('The tunnel does not carry anything yet');
    const { counters, before } = this.#begun;
    const counted = await this.#readUnlessBroken(counters);
    if (typeof counted === 'string') return { figures: [], fault: `the tunnel broke: ${counted}` };
    const { forward, return: back } = counted;
    const traffic = {
      forward: subtractCounts(forward, before.forward),
      return: subtractCounts(back, before.return),
    };
    return { figures: tunnelFigures(traffic), fault: findTunnelFault(traffic) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }

  /** A program that ends takes its interface with it, and may do so while this is read. Then why. */
  async #readUnlessBroken({ forward, return: back }: CountedEnds): Promise<TunnelTraffic | string> {
    try {
      const [forwardCounts, returnCounts] = await Promise.all([forward.read(), back.read()]);
      return { forward: forwardCounts, return: returnCounts };
    } catch (error) {
      if (!(error instanceof ToolError) || !error.stderr.includes('does not exist')) throw error;
      return this.#device.explainFailure() ?? 'its interface is gone';
    }
  }

  /** As large as the way between the ends lets its packets be. */
  async #setMtu(): Promise<number> {
    const { overheadBytes } = this.#device;
    const ends = [this.#ends.origin, this.#ends.user];
    const onLink = await Promise.all(ends.map((end) => readMtu(end.enter, end.interface)));
    const mtuBytes = Math.min(...onLink) - overheadBytes;
    const hasIpv6 = this.#network.ground.ipv6Address !== null;
    if (hasIpv6 && mtuBytes < leastIpv6Bytes)
      throw new AppError(
        'testbed-refused',
        `mtuBytes: the tunnel would have ${mtuBytes} bytes, and IPv6 needs ${leastIpv6Bytes}: set at least ${leastIpv6Bytes + overheadBytes}, or start the testbed without --ipv6`,
      );
    for (const { enter, namespace } of ends) {
      await runIn(enter, 'ip', 'link', 'set', 'dev', tunnelInterface, 'mtu', `${mtuBytes}`);
      if (hasIpv6) await enableIpv6(namespace, tunnelInterface);
    }
    return mtuBytes;
  }

  /** What users in `remote` send leaves by the tunnel: there an Agent gives it their addresses, and captures it. */
  async #addAddresses(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      const quietly = isIPv6(address) ? ['nodad', 'preferred_lft', '0'] : [];
      const host = `${address}/${isIPv6(address) ? 128 : 32}`;
      await runIn(this.#ends.user.enter, 'ip', 'address', 'add', host, 'dev', tunnelInterface, ...quietly);
    }
  }

  /** What TCP's settings make at the link's interface, at the tunnel's; the routes have the rest. */
  async #setTcp({ enter, tcp }: TunnelEnd): Promise<void> {
    if (tcp === null) this.#resources.use(await clampSegments(enter));
    else if (tcp.receiveBufferBytes !== undefined)
      this.#resources.use(await limitWindow(enter, { interface: tunnelInterface, bytes: tcp.receiveBufferBytes }));
  }

  async #route({ addresses }: TunnelUsers): Promise<void> {
    const { origin, user } = this.#ends;
    const { behindUser, except } = planRoutes({ to: this.#tunnel.to, ground: this.#network.ground, addresses });
    this.#resources.use(await routeTunnel(origin, { behind: behindUser, except }));
    this.#resources.use(await routeTunnel(user, { behind: this.#originAddresses, except: [] }));
  }

  async #openCounters(): Promise<CountedEnds> {
    const { origin, user } = this.#ends;
    const addresses = this.#originAddresses;
    const [forward, back] = await Promise.all([
      openTunnelCounters({ ...origin, origin: { is: 'source', addresses } }),
      openTunnelCounters({ ...user, origin: { is: 'destination', addresses } }),
    ]);
    return { forward: this.#resources.use(forward), return: this.#resources.use(back) };
  }

  get #originAddresses(): string[] {
    const { address, ipv6Address } = this.#network.ground;
    return ipv6Address === null ? [address] : [address, ipv6Address];
  }
}

/** The largest packet that an interface sends. */
async function readMtu(enter: Enter, name: string): Promise<number> {
  const [{ mtu }] = InterfacesSchema.parse(JSON.parse(await runIn(enter, 'ip', '-json', 'link', 'show', 'dev', name)));
  return mtu;
}

/** Lets TCP that is handed on begin with segments that fit into the tunnel, as gateways do. Disposing removes the rules. */
async function clampSegments(enter: Enter): Promise<AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  for (const direction of ['-o', '-i']) {
    const change = (action: '--append' | '--delete') =>
      runIn(enter, 'iptables', '--wait', '10', '-t', 'mangle', action, 'FORWARD', direction, tunnelInterface, ...rule);
    await change('--append');
    undo.defer(async () => {
      await change('--delete');
    });
  }
  return undo.move();
}

/** Named after the direction in which an end sends. */
interface CountedEnds {
  forward: TunnelCounters;
  return: TunnelCounters;
}

/**
 * Makes a connection between users and origin, in both directions where the origin's side has settings of TCP, and compares it with what was ordered. Returns what
 * the ends have counted by then. Throws `testbed-failed`.
 */
async function checkTunnel(
  network: TestbedNetwork,
  { mtuBytes, ends, counters }: { mtuBytes: number; ends: TunnelEnds; counters: CountedEnds },
): Promise<TunnelTraffic> {
  const remote = { address: network.remote.address, enter: network.enter('remote') };
  const ground = { address: network.ground.address, enter: network.enter('ground') };
  const isSet = Object.values(ends.origin.tcp ?? {}).some((value) => value !== undefined);
  const tries = [
    { from: remote, to: ground, end: ends.user },
    ...(isSet ? [{ from: ground, to: remote, end: ends.origin }] : []),
  ];
  const faults = await Promise.all(
    tries.map(async ({ from, to, end }) => findFaults(await observeConnection(from.enter, to), { end, mtuBytes })),
  );
  const [forward, back] = await Promise.all([counters.forward.read(), counters.return.read()]);
  const problems = [...faults.flat(), ...findFaultsOfTry({ forward, return: back })];
  if (problems.length > 0)
    throw new AppError(
      'testbed-failed',
      `A connection through the tunnel is not as it should be: ${problems.join('; ')}`,
    );
  return { forward, return: back };
}

/** Of a connection that begins at that end of the tunnel. One that begins behind it finds the MTU on its way. */
function findFaults(
  connection: Awaited<ReturnType<typeof observeConnection>>,
  { end: { tcp }, mtuBytes }: { end: TunnelEnd; mtuBytes: number },
): string[] {
  if (tcp === null) return [];
  const { initialWindowSegments: window, receiveBufferBytes } = tcp;
  if (receiveBufferBytes !== undefined) refuseOtherReceiveBuffer(connection, receiveBufferBytes);
  const { pathMtuBytes, windowSegments } = connection;
  return [
    ...(pathMtuBytes === mtuBytes ? [] : [`its MTU is ${pathMtuBytes}, not ${mtuBytes} bytes`]),
    ...(window === undefined || window === windowSegments
      ? []
      : [`initialWindowSegments is ${windowSegments}, not ${window}`]),
  ];
}
