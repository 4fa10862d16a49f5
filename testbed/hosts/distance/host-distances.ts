import path from 'node:path';
import { macAddresses } from '../../namespaces/addresses.ts';
import { hostsInterfaces } from '../../namespaces/connect-ends.ts';
import { startPlaceProcess, type PlaceProcess } from '../../namespaces/place-process.ts';
import type { TestbedNetwork } from '../../namespaces/testbed-network.ts';
import { joinByWire } from '../../path/segment-links.ts';
import {
  DistanceStatisticsSchema,
  type Distance,
  type DistanceOptions,
  type DistanceOrder,
  type DistanceStatistics,
} from './host-relay.ts';

const program = path.join(import.meta.dirname, 'distance-process.ts');
const answerWithinMs = 10_000;

/** What joins `ground` and `hosts`: a plain wire, or a process that keeps each host at its distance. The namespace of hosts must be there. */
export class HostDistances implements AsyncDisposable {
  /** Aborts, with an AppError, when the process works no more. */
  readonly failed: AbortSignal;
  readonly #network: TestbedNetwork;
  readonly #failing = new AbortController();
  #wire: AsyncDisposable | null = null;
  #process: PlaceProcess<DistanceOrder, DistanceStatistics> | null = null;

  constructor(network: TestbedNetwork) {
    this.#network = network;
    this.failed = this.#failing.signal;
  }

  /** Without a distance, there is no process for packets to pass. Throws `testbed-failed` and `testbed-refused`. */
  async apply(distances: readonly Distance[]): Promise<void> {
    if (distances.length === 0) {
      await this.#closeProcess();
      this.#wire ??= await joinByWire(this.#network.namespaces.satellite, hostsInterfaces);
      return;
    }
    await this.#closeWire();
    this.#process ??= await this.#start();
    await this.#process.ask({ kind: 'apply', distances: [...distances] }, answerWithinMs);
  }

  /** Of hosts since the distances were set; null where there are none. */
  async statistics(): Promise<DistanceStatistics | null> {
    return (await this.#process?.ask({ kind: 'read-statistics' }, answerWithinMs)) ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closeProcess();
    await this.#closeWire();
  }

  async #start(): Promise<PlaceProcess<DistanceOrder, DistanceStatistics>> {
    const options: DistanceOptions = {
      ground: { interface: hostsInterfaces.ground, mac: macAddresses.groundToHosts },
      hosts: { interface: hostsInterfaces.remote, mac: macAddresses.hosts },
    };
    const started = await startPlaceProcess<DistanceOrder, DistanceStatistics>({
      network: this.#network,
      place: 'satellite',
      program,
      args: [JSON.stringify(options)],
      answerSchema: DistanceStatisticsSchema,
      name: 'The process of the distances of hosts',
    });
    started.failed.addEventListener('abort', () => this.#failing.abort(started.failed.reason));
    return started;
  }

  async #closeProcess(): Promise<void> {
    const process = this.#process;
    this.#process = null;
    await process?.[Symbol.asyncDispose]();
  }

  async #closeWire(): Promise<void> {
    const wire = this.#wire;
    this.#wire = null;
    await wire?.[Symbol.asyncDispose]();
  }
}
