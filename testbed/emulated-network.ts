import { AppError } from '#core/app-error.ts';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import type { LinkProfile } from '#core/evaluation/link-profile.ts';
import type { Network } from '#core/evaluation/network.ts';
import type { LinkCheck } from '#core/protocol/link-check.ts';
import { openLinkChecker, type LinkChecker } from './check/link-checker.ts';
import { applyClasses } from './classes/apply-classes.ts';
import type { LinkBackend, LinkBackendKind } from './link/link-backend.ts';
import { openLink } from './link/open-link.ts';
import { macAddresses } from './namespaces/addresses.ts';
import { runTool } from './namespaces/run-tool.ts';
import { applyTcpSettings } from './tcp/apply-tcp-settings.ts';
import { openTestbedNetwork, type TestbedNetwork } from './namespaces/testbed-network.ts';

interface NetworkOrder {
  network: Network | null;
  users: { sourceAddress: string; userClass: string | null }[];
}

/** `ground — satellite — remote` with its link, as Scenarios switch it between Rounds. */
export class EmulatedNetwork implements AsyncDisposable {
  readonly network: TestbedNetwork;
  readonly link: LinkBackend;
  readonly #checker: LinkChecker;
  readonly #resources: AsyncDisposableStack;
  readonly #introduced = new Set<string>();
  /** What the order before made, besides the link. */
  #settings = new AsyncDisposableStack();

  constructor(parts: { network: TestbedNetwork; link: LinkBackend; checker: LinkChecker; resources: AsyncDisposableStack }) {
    this.network = parts.network;
    this.link = parts.link;
    this.#checker = parts.checker;
    this.#resources = parts.resources;
  }

  get backend(): LinkBackendKind {
    return this.link.kind;
  }

  /**
   * Sets the link, measures what it then does, sets TCP at its ends and shares it out among user classes; nothing else may use it meanwhile. What the order before set besides
   * the link is taken back first. Throws `testbed-failed`, `testbed-refused` or `invalid-input`; nothing but the link is set then.
   */
  async apply({ network, users }: NetworkOrder): Promise<LinkCheck | null> {
    await this.#settings.disposeAsync();
    this.#settings = new AsyncDisposableStack();
    if (network === null) return null;
    const profile = resolveLinkProfile(network.link);
    await this.link.apply(profile);
    for (const { sourceAddress } of users) await this.#introduce(sourceAddress);
    // Before TCP's packet size, which would cut the check's packets, and the classes, which keep a little below the link's rate.
    const { findings, tookMs } = await this.#checker.run(profile);
    await using settings = new AsyncDisposableStack();
    await this.#setTcp(settings, network.tcp);
    if (network.classes) await this.#shareOut(settings, { profile, users, weights: network.classes });
    this.#settings = settings.move();
    return { profile: profile.name, backend: this.backend, findings, tookMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#settings.disposeAsync();
    await this.#resources.disposeAsync();
  }

  async #setTcp(settings: AsyncDisposableStack, tcp: Network['tcp']): Promise<void> {
    const { network } = this;
    for (const [place, other] of [['ground', 'remote'], ['remote', 'ground']] as const) {
      const own = tcp[place];
      if (!own) continue;
      const peer = { enter: network.enter(other), address: network[other].address };
      settings.use(await applyTcpSettings({ settings: own, enter: network.enter(place), interface: network[place].interface, peer }));
    }
  }

  async #shareOut(settings: AsyncDisposableStack, { profile, users, weights }: { profile: LinkProfile; users: NetworkOrder['users']; weights: Record<string, number> }): Promise<void> {
    const classified = users.flatMap(({ sourceAddress, userClass }) => (userClass === null ? [] : [{ sourceAddress, userClass }]));
    for (const [place, direction] of [['ground', 'forward'], ['remote', 'return']] as const) {
      const { rate, queueBytes } = profile[direction];
      if (rate.kind !== 'constant') throw new AppError('invalid-input', `network.classes: the ${direction} direction of ${profile.name} has no constant rate to share out: give it one, or leave the classes out`);
      settings.use(await applyClasses({ enter: this.network.enter(place), interface: this.network[place].interface, direction, rateKbps: rate.kbps, queueBytes, users: classified, weights }));
    }
  }

  /**
   * Gives `remote` a user's address, for as long as the testbed stands: one that came or went within a Round would have every
   * browser there break off its loads (net::ERR_NETWORK_CHANGED). Ground finds it without asking across the link, which would cost the first packet a round trip.
   */
  async #introduce(address: string): Promise<void> {
    if (this.#introduced.has(address)) return;
    const { namespaces, ground, remote } = this.network;
    await runTool('ip', '-n', namespaces.remote, 'address', 'add', `${address}/32`, 'dev', remote.interface);
    this.#introduced.add(address);
    await runTool('ip', '-n', namespaces.ground, 'neighbour', 'replace', address, 'lladdr', macAddresses.remote, 'dev', ground.interface, 'nud', 'permanent');
  }
}

/** Throws `testbed-refused`, before anything was changed, where the machine cannot have a testbed. */
export async function openEmulatedNetwork({ profile, backend }: { profile: LinkProfile; backend?: LinkBackendKind | undefined }): Promise<EmulatedNetwork> {
  await using resources = new AsyncDisposableStack();
  const network = resources.use(await openTestbedNetwork());
  const link = resources.use(await openLink({ network, profile, backend }));
  const checker = resources.use(await openLinkChecker(network));
  return new EmulatedNetwork({ network, link, checker, resources: resources.move() });
}
