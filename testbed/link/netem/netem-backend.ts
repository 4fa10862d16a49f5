import { AppError } from '#core/app-error.ts';
import { hasVaryingRate, type LinkDirection, type LinkProfile } from '#core/evaluation/link-profile.ts';
import { runTool } from '../../namespaces/run-tool.ts';
import { bringUp } from '../../namespaces/bring-up.ts';
import { satelliteInterfaces, type TestbedNetwork } from '../../namespaces/testbed-network.ts';
import type { LinkBackend, LinkStatistics } from '../link-backend.ts';
import { qdiscArguments } from './qdisc-arguments.ts';
import { readDirection } from './read-qdiscs.ts';

const bridges = { ground: 'br-ground', remote: 'br-remote' } as const;
const middle = { ground: 'mid-ground', remote: 'mid-remote' } as const;

/** Per direction, the interface that packets leave by after waiting, and the one that they leave by after flying. */
const passages = {
  forward: { queue: middle.ground, flight: satelliteInterfaces.remote },
  return: { queue: middle.remote, flight: satelliteInterfaces.ground },
} as const;

/**
 * Opens the link in the kernel. An interface has one queueing discipline on its way out, and a link needs two, the queue before the
 * flight: so there are two bridges in `satellite` with an interface pair between them, and each direction leaves by two interfaces.
 */
export async function openNetemLink({
  network,
  profile,
}: {
  network: TestbedNetwork;
  profile: LinkProfile;
}): Promise<LinkBackend> {
  refuseVaryingRate(profile);
  const namespace = network.namespaces.satellite;
  const backend = new NetemLink(namespace);
  await runTool('ip', '-n', namespace, 'link', 'add', middle.ground, 'type', 'veth', 'peer', 'name', middle.remote);
  await backend.apply(profile);
  for (const end of ['ground', 'remote'] as const) {
    await bringUp({ namespace, name: middle[end] });
    await runTool('ip', '-n', namespace, 'link', 'add', bridges[end], 'type', 'bridge', 'mcast_snooping', '0');
    for (const port of [satelliteInterfaces[end], middle[end]])
      await runTool('ip', '-n', namespace, 'link', 'set', port, 'master', bridges[end]);
    await runTool('ip', '-n', namespace, 'link', 'set', bridges[end], 'up');
  }
  return backend;
}

function refuseVaryingRate(profile: LinkProfile): void {
  if (!hasVaryingRate(profile)) return;
  throw new AppError(
    'testbed-refused',
    `netem cannot emulate the varying rate of the link ${profile.name}: open the testbed without "--backend netem"`,
  );
}

class NetemLink implements LinkBackend {
  readonly kind = 'netem';
  readonly failed = new AbortController().signal; // the kernel does not
  readonly #namespace: string;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  async apply(profile: LinkProfile): Promise<void> {
    refuseVaryingRate(profile);
    await this.#applyDirection(profile.forward, passages.forward);
    await this.#applyDirection(profile.return, passages.return);
  }

  async statistics(): Promise<LinkStatistics> {
    return {
      forward: await readDirection(this.#namespace, passages.forward),
      return: await readDirection(this.#namespace, passages.return),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of ['ground', 'remote'] as const) {
      await runTool('ip', '-n', this.#namespace, 'link', 'delete', bridges[end]);
      await runTool('tc', '-n', this.#namespace, 'qdisc', 'delete', 'dev', satelliteInterfaces[end], 'root');
    }
    await runTool('ip', '-n', this.#namespace, 'link', 'delete', middle.ground);
  }

  async #applyDirection(direction: LinkDirection, { queue, flight }: { queue: string; flight: string }): Promise<void> {
    const args = qdiscArguments(direction);
    await runTool('tc', '-n', this.#namespace, 'qdisc', 'replace', 'dev', queue, 'root', 'handle', '1:', ...args.queue);
    await runTool(
      'tc',
      '-n',
      this.#namespace,
      'qdisc',
      'replace',
      'dev',
      flight,
      'root',
      'handle',
      '1:',
      ...args.flight,
    );
  }
}
