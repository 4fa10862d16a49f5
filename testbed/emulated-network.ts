import { AppError } from '#core/app-error.ts';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import type { LinkProfile } from '#core/evaluation/link-profile.ts';
import type { Network } from '#core/evaluation/network.ts';
import type { LinkCheck } from '#core/protocol/link-check.ts';
import { openLinkChecker, type LinkChecker } from './check/link-checker.ts';
import { applyClasses } from './classes/apply-classes.ts';
import type { LinkBackendKind } from './link/link-backend.ts';
import { openLink } from './link/open-link.ts';
import type { SwitchableLink } from './link/switchable-link.ts';
import { introduceUser } from './namespaces/introduce-user.ts';
import { applyTcpSettings } from './tcp/apply-tcp-settings.ts';
import { openTestbedNetwork, type TestbedNetwork } from './namespaces/testbed-network.ts';

interface NetworkOrder {
  network: Network | null;
  users: { sourceAddress: string; userClass: string | null }[];
  /** Whether the rate of any link that is compared with this one varies. */
  runHasVaryingRate?: boolean;
}

/** `ground — satellite — remote` with its link, as Scenarios switch it between Rounds. */
export class EmulatedNetwork implements AsyncDisposable {
  readonly network: TestbedNetwork;
  readonly link: SwitchableLink;
  readonly #checker: LinkChecker;
  readonly #resources: AsyncDisposableStack;
  readonly #introduced: Set<string>;
  /** What the order before made, besides the link. */
  #settings = new AsyncDisposableStack();
  /** Ends with the last order that was given: there is one link, and one order at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    network: TestbedNetwork;
    link: SwitchableLink;
    checker: LinkChecker;
    resources: AsyncDisposableStack;
  }) {
    this.network = parts.network;
    this.link = parts.link;
    this.#checker = parts.checker;
    this.#resources = parts.resources;
    this.#introduced = new Set(
      parts.network.users.flatMap(({ address, ipv6Address }) =>
        ipv6Address === null ? [address] : [address, ipv6Address],
      ),
    );
  }

  get backend(): LinkBackendKind {
    return this.link.kind;
  }

  /**
   * Sets the link, measures what it then does, sets TCP at its ends and shares it out among user classes; nothing else may use it meanwhile. What the order before set besides
   * the link is taken back first. Orders are carried out one after another. Throws `testbed-failed`, `testbed-refused` or `invalid-input`; only the link is set then.
   */
  apply(order: NetworkOrder): Promise<LinkCheck | null> {
    const result = this.#last.then(() => this.#apply(order));
    this.#last = result.catch(() => undefined); // the caller gets the error
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    try {
      await this.#settings.disposeAsync();
    } finally {
      await this.#resources.disposeAsync();
    }
  }

  async #apply({ network, users, runHasVaryingRate = false }: NetworkOrder): Promise<LinkCheck | null> {
    await this.#settings.disposeAsync();
    this.#settings = new AsyncDisposableStack();
    if (network === null) return null;
    const profile = resolveLinkProfile(network.link);
    await this.link.apply(profile, { runHasVaryingRate });
    for (const { sourceAddress } of users) await this.#introduce(sourceAddress);
    // Before TCP's packet size, which would cut the check's packets, and the classes, which keep a little below the link's rate.
    const { findings, tookMs } = await this.#checker.runUntilAsWritten(profile);
    await using settings = new AsyncDisposableStack();
    await this.#setTcp(settings, network.tcp);
    if (network.classes) await this.#shareOut(settings, { profile, users, weights: network.classes });
    this.#settings = settings.move();
    return { profile: profile.name, backend: this.backend, findings, tookMs };
  }

  async #setTcp(settings: AsyncDisposableStack, tcp: Network['tcp']): Promise<void> {
    const { network } = this;
    const ground = { ...network.ground, enter: network.enter('ground') };
    const remote = { ...network.remote, enter: network.enter('remote') };
    const ends = [
      { own: tcp.ground, end: ground, peer: remote },
      ...[remote, ...network.users].map((end) => ({ own: tcp.remote, end, peer: ground })),
    ];
    for (const { own, end, peer } of ends) {
      if (own)
        settings.use(await applyTcpSettings({ settings: own, enter: end.enter, interface: end.interface, peer }));
    }
  }

  async #shareOut(
    settings: AsyncDisposableStack,
    {
      profile,
      users,
      weights,
    }: { profile: LinkProfile; users: NetworkOrder['users']; weights: Record<string, number> },
  ): Promise<void> {
    const classified = users.flatMap(({ sourceAddress, userClass }) =>
      userClass === null ? [] : [{ sourceAddress, userClass }],
    );
    for (const [place, direction] of [
      ['ground', 'forward'],
      ['remote', 'return'],
    ] as const) {
      const { rate, queueBytes } = profile[direction];
      if (rate.kind !== 'constant')
        throw new AppError(
          'invalid-input',
          `network.classes: the ${direction} direction of ${profile.name} has no constant rate to share: set one, or remove the classes`,
        );
      settings.use(
        await applyClasses({
          enter: this.network.enter(place),
          interface: this.network[place].interface,
          direction,
          rateKbps: rate.kbps,
          queueBytes,
          users: classified,
          weights,
        }),
      );
    }
  }

  async #introduce(address: string): Promise<void> {
    if (this.#introduced.has(address)) return;
    await introduceUser(this.network, address);
    this.#introduced.add(address);
  }
}

/** Throws `testbed-refused`, before anything was changed, where the machine cannot have a testbed. */
export async function openEmulatedNetwork({
  profile,
  backend,
  userCount,
  hasIpv6,
}: {
  profile: LinkProfile;
  backend?: LinkBackendKind | undefined;
  userCount?: number | undefined;
  hasIpv6?: boolean | undefined;
}): Promise<EmulatedNetwork> {
  await using resources = new AsyncDisposableStack();
  const network = resources.use(await openTestbedNetwork({ userCount, hasIpv6 }));
  const link = resources.use(await openLink({ network, profile, backend }));
  const checker = resources.use(await openLinkChecker(network));
  return new EmulatedNetwork({ network, link, checker, resources: resources.move() });
}
