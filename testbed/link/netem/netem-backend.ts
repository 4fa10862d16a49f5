import { AppError } from '#core/app-error.ts';
import { needsUserspace, type LinkDirection, type LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { runTool } from '../../namespaces/run-tool.ts';
import { bringUp } from '../../namespaces/bring-up.ts';
import type { TestbedNetwork } from '../../namespaces/testbed-network.ts';
import type { LinkBackend, LinkInterfaces, LinkStatistics } from '../link-backend.ts';
import { qdiscArguments } from './qdisc-arguments.ts';
import { readDirection } from './read-qdiscs.ts';

/** The interfaces of one link: those that lead to its ends, a bridge at each, and the pair between the bridges. */
interface Wiring {
  bridges: LinkInterfaces;
  middle: LinkInterfaces;
  /** Per direction, the interface that packets leave by after waiting, and the one that they leave by after flying. */
  passages: Record<'forward' | 'return', { queue: string; flight: string }>;
}

function wire(interfaces: LinkInterfaces): Wiring {
  const middle = { ground: `mid-${interfaces.ground}`, remote: `mid-${interfaces.remote}` };
  return {
    bridges: { ground: `br-${interfaces.ground}`, remote: `br-${interfaces.remote}` },
    middle,
    passages: {
      forward: { queue: middle.ground, flight: interfaces.remote },
      return: { queue: middle.remote, flight: interfaces.ground },
    },
  };
}

/**
 * Opens the link in the kernel. An interface has one queueing discipline on its way out, and a link needs two, the queue before the
 * flight: so there are two bridges in `satellite` with an interface pair between them, and each direction leaves by two interfaces.
 */
export async function openNetemLink({
  network,
  interfaces,
  profile,
}: {
  network: TestbedNetwork;
  interfaces: LinkInterfaces;
  profile: LinkProfile;
}): Promise<LinkBackend> {
  refuseUserspace(profile);
  const namespace = network.namespaces.satellite;
  const backend = new NetemLink(namespace, interfaces);
  const { bridges, middle } = wire(interfaces);
  await runTool('ip', '-n', namespace, 'link', 'add', middle.ground, 'type', 'veth', 'peer', 'name', middle.remote);
  await backend.apply(profile);
  for (const end of ['ground', 'remote'] as const) {
    await bringUp({ namespace, name: middle[end] });
    await runTool('ip', '-n', namespace, 'link', 'add', bridges[end], 'type', 'bridge', 'mcast_snooping', '0');
    for (const port of [interfaces[end], middle[end]])
      await runTool('ip', '-n', namespace, 'link', 'set', port, 'master', bridges[end]);
    await runTool('ip', '-n', namespace, 'link', 'set', bridges[end], 'up');
  }
  return backend;
}

function refuseUserspace(profile: LinkProfile): void {
  if (!needsUserspace(profile)) return;
  throw new AppError(
    'testbed-refused',
    `netem cannot emulate the varying rate or the managed queue of the link ${profile.name}: open the testbed without "--backend netem"`,
  );
}

class NetemLink implements LinkBackend {
  readonly kind = 'netem';
  readonly failed = new AbortController().signal; // the kernel does not
  readonly #namespace: string;
  readonly #interfaces: LinkInterfaces;
  readonly #wiring: Wiring;

  constructor(namespace: string, interfaces: LinkInterfaces) {
    this.#namespace = namespace;
    this.#interfaces = interfaces;
    this.#wiring = wire(interfaces);
  }

  async apply(profile: LinkProfile): Promise<void> {
    refuseUserspace(profile);
    const { passages } = this.#wiring;
    await this.#applyDirection(profile.forward, passages.forward);
    await this.#applyDirection(profile.return, passages.return);
  }

  async beginCapacity(): Promise<void> {
    // The kernel has no capacity on demand.
  }

  async statistics(): Promise<LinkStatistics> {
    const { passages } = this.#wiring;
    return {
      forward: await readDirection(this.#namespace, passages.forward),
      return: await readDirection(this.#namespace, passages.return),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { bridges, middle } = this.#wiring;
    for (const end of ['ground', 'remote'] as const) {
      await runTool('ip', '-n', this.#namespace, 'link', 'delete', bridges[end]);
      await runTool('tc', '-n', this.#namespace, 'qdisc', 'delete', 'dev', this.#interfaces[end], 'root');
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
