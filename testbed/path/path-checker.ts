import { allSettled } from '#core/all-settled.ts';
import type { Segment, SegmentProfile } from '#core/evaluation/network/network-path.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { LinkChecker, startProbeAt } from '../check/link-checker.ts';
import { nodeAddresses } from '../namespaces/addresses.ts';
import type { NodePlace } from '../namespaces/namespace-name.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { composePath } from './compose-path.ts';
import { judgePath } from './judge-path.ts';

/** From which place to which each segment leads, and the port of the probes on it: a node takes part in the checks of two segments at once. */
const ends = {
  access: { ground: 'terminal', remote: 'remote', port: 11 },
  satellite: { ground: 'gateway', remote: 'terminal', port: 12 },
  terrestrial: { ground: 'ground', remote: 'gateway', port: 13 },
} as const;

/** Measures each segment of a path alone, all at once, and then the path from end to end. Its processes are started by the first check of their segment, and stay. */
export class PathChecker implements AsyncDisposable {
  readonly #network: TestbedNetwork;
  readonly #endToEnd: LinkChecker;
  readonly #checkers = new Map<Segment, LinkChecker>();
  readonly #resources = new AsyncDisposableStack();

  constructor({ network, endToEnd }: { network: TestbedNetwork; endToEnd: LinkChecker }) {
    this.#network = network;
    this.#endToEnd = endToEnd;
  }

  /** `path`: from the users to the origins. Nothing else may use it meanwhile. Throws `testbed-failed`. */
  async runUntilAsWritten(path: readonly SegmentProfile[]): Promise<{ findings: LinkFinding[]; tookMs: number }> {
    const startMs = performance.now();
    const alone = await allSettled(
      path.map(async ({ segment, profile }) => {
        const checker = await this.#checkerOf(segment);
        const { findings } = await checker.runUntilAsWritten(profile);
        return findings.map((finding) => ({ segment, ...finding }));
      }),
    );
    const fromGround = path.map(({ profile }) => profile).toReversed();
    const whole = await this.#endToEnd.runUntilAsWritten(composePath(fromGround), (_, measurement) =>
      judgePath(fromGround, measurement),
    );
    return {
      findings: [...alone.flat(), ...whole.findings.map((finding) => ({ segment: 'end to end' as const, ...finding }))],
      tookMs: performance.now() - startMs,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }

  async #checkerOf(segment: Segment): Promise<LinkChecker> {
    const known = this.#checkers.get(segment);
    if (known) return known;
    const { port, ...places } = ends[segment];
    await using started = new AsyncDisposableStack();
    const [ground, remote] = await allSettled(
      [places.ground, places.remote].map(async (place) =>
        started.use(await startProbeAt(this.#network, { place, address: this.#addressOf(place), port })),
      ),
    );
    const addresses = {
      ground: { address: this.#addressOf(places.ground) },
      remote: { address: this.#addressOf(places.remote) },
    };
    started.move(); // the checker disposes of them
    const checker = this.#resources.use(new LinkChecker(addresses, { ground: ground!, remote: remote! }));
    this.#checkers.set(segment, checker);
    return checker;
  }

  #addressOf(place: NodePlace | 'ground' | 'remote'): string {
    return place === 'ground' || place === 'remote' ? this.#network[place].address : nodeAddresses[place];
  }
}
