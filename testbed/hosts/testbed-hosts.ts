import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { allSettled } from '#core/waiting.ts';
import { distanceOf, namesOf, type Host } from '#core/evaluation/network/network-hosts.ts';
import type { Network } from '#core/evaluation/network/network.ts';
import { groundAddress, hostAddress, hostNetwork, hostsAddress } from '../namespaces/addresses.ts';
import { localDnsRoute } from '../namespaces/connect-ends.ts';
import { linkInterface } from '../namespaces/connect-nodes.ts';
import { startPlaceProcess, type PlaceProcess } from '../namespaces/place-process.ts';
import { runTool } from '../namespaces/run-tool.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { HostDistances } from './distance/host-distances.ts';
import type { DistanceStatistics } from './distance/host-relay.ts';
import {
  ServersAnswerSchema,
  type ServersAnswer,
  type ServersOptions,
  type ServersOrder,
} from './servers/servers-messages.ts';

const serversProgram = path.join(import.meta.dirname, 'servers', 'servers-process.ts');
const cacheProgram = path.join(import.meta.dirname, 'dns', 'dns-cache-process.ts');
/** Two hundred certificates, and a front that starts. */
const serveWithinMs = 60_000;

type ServersProcess = PlaceProcess<ServersOrder, ServersAnswer>;

/**
 * Hosts with names behind `ground`, as Scenarios have them. Their namespace, its process and their certificates are made for the first, and stay until this is disposed of; users
 * find a way there only while an order holds.
 */
export class TestbedHosts implements AsyncDisposable {
  /** Aborts, with an AppError, when a process of theirs works no more. */
  readonly failed: AbortSignal;
  readonly #network: TestbedNetwork;
  readonly #options: ServersOptions;
  readonly #failing = new AbortController();
  readonly #distances: HostDistances;
  #servers: ServersProcess | null = null;

  constructor(network: TestbedNetwork, options: ServersOptions) {
    this.#network = network;
    this.#options = options;
    this.#distances = new HostDistances(network);
    this.failed = AbortSignal.any([this.#failing.signal, this.#distances.failed]);
  }

  /** Where their servers are, to set TCP there. */
  get end(): { address: string; interface: string; enter: [string, ...string[]] } {
    return { address: hostsAddress, interface: linkInterface, enter: this.#network.enter('hosts') };
  }

  /** Lets users reach these hosts until that is disposed of. The ends of the link must be joined. Throws `testbed-refused` and `testbed-failed`. */
  async apply(
    { hosts = [], dnsCache }: Pick<Network, 'hosts' | 'dnsCache'>,
    content: ServersOrder['content'] = { kind: 'generated' },
  ): Promise<AsyncDisposable> {
    if (hosts.length === 0) return { [Symbol.asyncDispose]: () => Promise.resolve() };
    if (!existsSync('/etc/resolv.conf'))
      throw new AppError(
        'testbed-refused',
        'network.hosts needs a file /etc/resolv.conf, in whose place users see another: make one, also an empty one, and start the testbed again',
      );
    await this.#network.requireHosts();
    await allSettled([this.#distances.apply(listDistances(hosts)), this.#serve(hosts, content)]);
    await using undo = new AsyncDisposableStack();
    const { remote } = this.#network.namespaces;
    const toHosts = [hostNetwork, 'via', groundAddress, 'dev', linkInterface] as const;
    const change = async (action: 'add' | 'delete', route: readonly string[]) => {
      await runTool('ip', '-n', remote, 'route', action, ...route);
    };
    await change('add', toHosts);
    undo.defer(() => change('delete', toHosts));
    if (dnsCache === 'terminal') undo.use(await this.#startCache());
    else {
      await change('delete', localDnsRoute);
      undo.defer(() => change('add', localDnsRoute));
    }
    return undo.move();
  }

  /** What happened on the way to each host that has a distance, and from it, since these were set. */
  async statistics(): Promise<DistanceStatistics['hosts']> {
    return (await this.#distances.statistics())?.hosts ?? [];
  }

  /** What this machine lost on the way to hosts and from them. */
  async missed(): Promise<DistanceStatistics['missed']> {
    const none = { missedPackets: 0 };
    return (await this.#distances.statistics())?.missed ?? { forward: none, return: none };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#servers?.[Symbol.asyncDispose]();
    await this.#distances[Symbol.asyncDispose]();
  }

  async #serve(hosts: readonly Host[], content: ServersOrder['content']): Promise<void> {
    this.#servers ??= await this.#startServers();
    const served = hosts.map((host, index) => ({
      names: namesOf(host),
      address: hostAddress(index),
      protocols: host.protocols,
      thinkTimeMs: host.thinkTimeMs ?? 0,
    }));
    const order: ServersOrder = { hosts: served, content };
    const { problem } = await this.#servers.ask(order, serveWithinMs);
    if (problem !== null) throw new AppError('testbed-failed', `The hosts cannot be served: ${problem}`);
  }

  async #startServers(): Promise<ServersProcess> {
    const started = await startPlaceProcess<ServersOrder, ServersAnswer>({
      network: this.#network,
      place: 'hosts',
      program: serversProgram,
      args: [JSON.stringify(this.#options)],
      answerSchema: ServersAnswerSchema,
      name: 'The process of the hosts',
      isOrdinary: true,
    });
    started.failed.addEventListener('abort', () => this.#failing.abort(started.failed.reason));
    return started;
  }

  /** Empty at first: what a Round finds in it was asked within the Round. */
  async #startCache(): Promise<AsyncDisposable> {
    const started = await startPlaceProcess({
      network: this.#network,
      place: 'remote',
      program: cacheProgram,
      answerSchema: z.null(),
      name: 'The cache of names',
      isOrdinary: true,
    });
    started.failed.addEventListener('abort', () => this.#failing.abort(started.failed.reason));
    return started;
  }
}

function listDistances(hosts: readonly Host[]) {
  return hosts.flatMap((host, index) => {
    const direction = distanceOf(host);
    return direction === null ? [] : [{ address: hostAddress(index), direction }];
  });
}
