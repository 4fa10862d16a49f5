import path from 'node:path';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { macAddresses } from '../../namespaces/addresses.ts';
import { startPlaceProcess, type PlaceProcess } from '../../namespaces/place-process.ts';
import { satelliteInterfaces } from '../../namespaces/connect-ends.ts';
import type { TestbedNetwork } from '../../namespaces/testbed-network.ts';
import type { LinkBackend, LinkInterfaces } from '../link-backend.ts';
import { UserspaceStatisticsSchema, type LinkOrder, type UserspaceStatistics } from './link-messages.ts';

const program = path.join(import.meta.dirname, 'link-process.ts');
const answerWithinMs = 10_000;

/** Opens the link as a process in `satellite` that takes packets from each interface and puts them into the other. */
export async function openUserspaceLink({
  network,
  interfaces = satelliteInterfaces,
  profile,
  seed,
}: {
  network: TestbedNetwork;
  interfaces?: LinkInterfaces;
  profile: LinkProfile;
  seed?: number;
}): Promise<UserspaceLink> {
  const ends = {
    ground: { interface: interfaces.ground, mac: macAddresses.ground },
    remote: { interface: interfaces.remote, mac: macAddresses.remote },
  };
  const process = await startPlaceProcess<LinkOrder, UserspaceStatistics>({
    network,
    place: 'satellite',
    program,
    args: [JSON.stringify({ ...ends, profile, seed })],
    answerSchema: UserspaceStatisticsSchema,
    name: 'The process of the emulated link',
  });
  return new UserspaceLink(process);
}

export class UserspaceLink implements LinkBackend {
  readonly kind = 'userspace';
  readonly failed: AbortSignal;
  readonly #process: PlaceProcess<LinkOrder, UserspaceStatistics>;

  constructor(process: PlaceProcess<LinkOrder, UserspaceStatistics>) {
    this.#process = process;
    this.failed = process.failed;
  }

  async apply(profile: LinkProfile): Promise<void> {
    await this.#process.ask({ kind: 'apply', profile }, answerWithinMs);
  }

  async beginRound(): Promise<void> {
    await this.#process.ask({ kind: 'begin-round' }, answerWithinMs);
  }

  statistics(): Promise<UserspaceStatistics> {
    return this.#process.ask({ kind: 'read-statistics' }, answerWithinMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}
