import { allSettled } from '#core/waiting.ts';
import { segments, type Segment, type SegmentProfile } from '#core/evaluation/network/network-path.ts';
import type { LinkBackendKind, LinkInterfaces } from '../link/link-backend.ts';
import { SwitchableLink } from '../link/switchable-link.ts';
import { satelliteInterfaces } from '../namespaces/connect-ends.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { nodeSides } from '../namespaces/connect-nodes.ts';
import { runTool } from '../namespaces/run-tool.ts';

const { terminal, gateway } = nodeSides;

/** What each segment joins in `satellite`. All segments meet there, as the ends of the single link do: no interface is moved. */
const segmentInterfaces: Readonly<Record<Segment, LinkInterfaces>> = {
  access: { ground: terminal.remote, remote: satelliteInterfaces.remote },
  satellite: { ground: gateway.remote, remote: terminal.ground },
  terrestrial: { ground: satelliteInterfaces.ground, remote: gateway.ground },
};

/** The segments of a path: a link each, or a plain wire. Opened by the first `apply`, and by the first after `close`. */
export class SegmentLinks {
  /** Aborts, with an AppError, when one of them works no more. */
  readonly failed: AbortSignal;
  readonly #namespace: string;
  readonly #links: Readonly<Record<Segment, SwitchableLink>>;
  readonly #wires = new Map<Segment, AsyncDisposable>();

  constructor({ network, only }: { network: TestbedNetwork; only: LinkBackendKind | null }) {
    const open = (segment: Segment) => new SwitchableLink({ network, only, interfaces: segmentInterfaces[segment] });
    this.#namespace = network.namespaces.satellite;
    this.#links = { access: open('access'), satellite: open('satellite'), terrestrial: open('terrestrial') };
    this.failed = AbortSignal.any(Object.values(this.#links).map(({ failed }) => failed));
  }

  get kind(): LinkBackendKind {
    return this.#links.satellite.kind;
  }

  /** The link of a segment, to read what passed it. */
  linkOf(segment: Segment): SwitchableLink {
    return this.#links[segment];
  }

  /** `runHasVaryingRate`: as of a single link. Nothing else may join the ends meanwhile. */
  async apply(profiles: readonly SegmentProfile[], { runHasVaryingRate = false } = {}): Promise<void> {
    await allSettled(
      segments.map(async (segment) => {
        const own = profiles.find((each) => each.segment === segment);
        if (own) {
          await this.#removeWire(segment);
          await this.#links[segment].apply(own.profile, { runHasVaryingRate });
        } else if (!this.#wires.has(segment)) {
          await this.#links[segment][Symbol.asyncDispose]();
          this.#wires.set(segment, await joinByWire(this.#namespace, segmentInterfaces[segment]));
        }
      }),
    );
  }

  /** Leaves the ends of all segments apart. */
  async close(): Promise<void> {
    await allSettled(
      segments.map(async (segment) => {
        await this.#links[segment][Symbol.asyncDispose]();
        await this.#removeWire(segment);
      }),
    );
  }

  async #removeWire(segment: Segment): Promise<void> {
    const wire = this.#wires.get(segment);
    this.#wires.delete(segment);
    await wire?.[Symbol.asyncDispose]();
  }
}

/** Joins two interfaces of a namespace by a bridge of the kernel, which adds some hundredths of a millisecond. Disposing takes it away. */
export async function joinByWire(namespace: string, { ground, remote }: LinkInterfaces): Promise<AsyncDisposable> {
  const bridge = `br-${ground}`;
  await runTool('ip', '-n', namespace, 'link', 'add', bridge, 'type', 'bridge', 'mcast_snooping', '0');
  const remove = async () => {
    await runTool('ip', '-n', namespace, 'link', 'delete', bridge);
  };
  try {
    for (const port of [ground, remote]) await runTool('ip', '-n', namespace, 'link', 'set', port, 'master', bridge);
    await runTool('ip', '-n', namespace, 'link', 'set', bridge, 'up');
    return { [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
