import { AppError } from '#core/app-error.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { needsUserspace, type LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { listSegments, type SegmentProfile } from '#core/evaluation/network/network-path.ts';
import { listTcpVariants, type Network } from '#core/evaluation/network/network.ts';
import type { LinkCheck } from '#core/protocol/link-check.ts';
import type { RoundEnd } from '#core/protocol/network-figure.ts';
import { openLinkChecker, type LinkChecker } from './check/link-checker.ts';
import { checkMs } from './check/plan-check.ts';
import { shareLink } from './classes/share-link.ts';
import { TestbedHosts } from './hosts/testbed-hosts.ts';
import type { LinkBackendKind } from './link/link-backend.ts';
import { openLink } from './link/open-link.ts';
import type { SwitchableLink } from './link/switchable-link.ts';
import { nodeInterfaces } from './namespaces/connect-nodes.ts';
import { introduceUser } from './namespaces/introduce-user.ts';
import { startRoundTraffic, type CountedLink, type RoundTraffic } from './count-round-traffic.ts';
import { applyTcpToAll, type ApplyTcpOptions } from './tcp/apply-tcp-settings.ts';
import { ProvidedVariants } from './tcp/variants/provided-variants.ts';
import { openTunnel } from './tunnel/open-tunnel.ts';
import type { TestbedTunnel, TunnelUsers } from './tunnel/testbed-tunnel.ts';
import { openTestbedNetwork, type TestbedNetwork } from './namespaces/testbed-network.ts';
import { PathChecker, pathCheckMs } from './path/path-checker.ts';
import { SegmentLinks } from './path/segment-links.ts';
import type { ReplayOfFiles } from './hosts/servers/servers-messages.ts';
import { applyTcpPep, type AppliedTcpPep } from './tcp-pep/apply-tcp-pep.ts';
import { findPepFault, listPepFigures } from './tcp-pep/pep-report.ts';

/** A Controller waits two minutes for all that an order takes. */
const longestCheckMs = 100_000;

interface NetworkOrder {
  network: Network | null;
  users: { sourceAddress: string; userClass: string | null }[];
  /** Whether the rate of any link that is compared with this one varies, or its queue is managed. */
  runHasVaryingRate?: boolean;
  /** What the hosts answer, if not pages of the origin. */
  replay?: ReplayOfFiles | undefined;
}

/** `ground — satellite — remote` with its link, or a path of links, as Scenarios switch it between Rounds. */
export class EmulatedNetwork implements AsyncDisposable {
  readonly network: TestbedNetwork;
  /** The single link. It is closed while there is a path. */
  readonly link: SwitchableLink;
  /** The links of the path. They are closed while there is none. */
  readonly segments: SegmentLinks;
  /** Aborts, with an AppError, when a link works no more. */
  readonly failed: AbortSignal;
  readonly #checker: LinkChecker;
  readonly #pathChecker: PathChecker;
  #hasPath = false;
  readonly #resources: AsyncDisposableStack;
  readonly #introduced: Set<string>;
  /** Hosts with names, where a Scenario has them. */
  readonly hosts: TestbedHosts;
  readonly #variants = new ProvidedVariants();
  /** What the order before made, besides the link. */
  #settings = new AsyncDisposableStack();
  #traffic: RoundTraffic | null = null;
  #tcpPep: AppliedTcpPep | null = null;
  #tunnel: TestbedTunnel | null = null;
  /** Ends with the last order that was given: there is one link, and one order at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    network: TestbedNetwork;
    link: SwitchableLink;
    segments: SegmentLinks;
    hosts: TestbedHosts;
    checker: LinkChecker;
    pathChecker: PathChecker;
    resources: AsyncDisposableStack;
  }) {
    this.network = parts.network;
    this.link = parts.link;
    this.segments = parts.segments;
    this.failed = AbortSignal.any([parts.link.failed, parts.segments.failed, parts.hosts.failed]);
    this.hosts = parts.hosts;
    this.#checker = parts.checker;
    this.#pathChecker = parts.pathChecker;
    this.#resources = parts.resources;
    this.#introduced = new Set(
      parts.network.users.flatMap(({ address, ipv6Address }) =>
        ipv6Address === null ? [address] : [address, ipv6Address],
      ),
    );
  }

  get backend(): LinkBackendKind {
    return this.#hasPath ? this.segments.kind : this.link.kind;
  }

  /**
   * Sets the link, measures what it then does, sets TCP at its ends and shares it out among user classes; nothing else may use it meanwhile. What the order before set besides
   * the link is taken back first. Orders are carried out one after another. Throws `testbed-failed`, `testbed-refused` or `invalid-input`, and the signal's reason at the next step after it is aborted; only
   * the link is set then.
   */
  apply(order: NetworkOrder, signal?: AbortSignal): Promise<LinkCheck | null> {
    return this.#inTurn(() => this.#apply(order, signal));
  }

  /** Takes back what the order before set besides the link, and returns what the network did since then. */
  endRound(): Promise<RoundEnd> {
    return this.#inTurn(async () => {
      try {
        const reports = (await this.#tcpPep?.report()) ?? [];
        const traffic = (await this.#traffic?.end()) ?? [];
        const ofTunnel = await this.#tunnel?.endRound();
        return {
          figures: [...reports.flatMap(listPepFigures), ...traffic, ...(ofTunnel?.figures ?? [])],
          fault: ofTunnel?.fault ?? findPepFault(reports, { isHidden: ofTunnel !== undefined }),
        };
      } finally {
        await this.#apply({ network: null, users: [] });
      }
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined); // the caller gets the error
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    try {
      await this.#settings.disposeAsync();
      await this.#variants[Symbol.asyncDispose]();
    } finally {
      await this.#resources.disposeAsync();
    }
  }

  async #apply(
    { network, users, runHasVaryingRate = false, replay }: NetworkOrder,
    signal?: AbortSignal,
  ): Promise<LinkCheck | null> {
    this.#traffic = null;
    this.#tcpPep = null;
    this.#tunnel = null;
    await this.#settings.disposeAsync();
    this.#settings = new AsyncDisposableStack();
    if (network === null) return null;
    signal?.throwIfAborted();
    const path = listSegments(network);
    const { profile } = path.find(({ segment }) => segment === 'satellite')!;
    await using settings = new AsyncDisposableStack();
    const kind = { isPath: network.path !== undefined, runHasVaryingRate };
    refuseLongCheck(kind.isPath ? pathCheckMs(path) : checkMs(profile));
    const tunnel = network.tunnel
      ? settings.use(await this.#openTunnel({ ...network, tunnel: network.tunnel }, kind))
      : null;
    await this.#join(path, kind);
    for (const { sourceAddress } of users) await this.#introduce(sourceAddress);
    // Before TCP's packet size, which would cut the check's packets, and the classes, which keep a little below the link's rate.
    const { findings, tookMs } = this.#hasPath
      ? await this.#pathChecker.runUntilAsWritten(path, signal)
      : await this.#checker.runUntilAsWritten(profile, { signal });
    signal?.throwIfAborted();
    for (const variant of listTcpVariants(network)) await this.#variants.provide(variant);
    settings.use(await this.hosts.apply(network, replay && { kind: 'replay', ...replay }));
    signal?.throwIfAborted();
    settings.use(await applyTcpToAll(this.#endsOfTcp(network)));
    if (network.classes)
      settings.use(
        await shareLink({ profile, users, weights: network.classes, entrance: (place) => this.#entrance(place) }),
      );
    // Before a PEP, from which it hides connections, and what is sent beside the users, which passes it too.
    const record = await tunnel?.carry(this.#listUsers(users));
    // After the settings at the ends: it would split the connections by which these are verified.
    this.#tcpPep = network.tcpPep ? settings.use(await applyTcpPep(this.network, network.tcpPep)) : null;
    signal?.throwIfAborted();
    this.#traffic = settings.use(
      await startRoundTraffic({
        network: this.network,
        links: this.#linksOf(path),
        hosts: this.hosts,
        loads: network.background ?? [],
      }),
    );
    this.#settings = settings.move();
    this.#tunnel = tunnel;
    return { profile: profile.name, backend: this.backend, findings, tookMs, ...(record && { tunnel: record }) };
  }

  /** Over links without limits, so that no Round waits for the exchange of keys across a satellite, nor for what of it is lost. */
  async #openTunnel(
    network: Network & { tunnel: NonNullable<Network['tunnel']> },
    { isPath, runHasVaryingRate }: { isPath: boolean; runHasVaryingRate: boolean },
  ): Promise<TestbedTunnel> {
    const path = listSegments(network);
    const isVarying = runHasVaryingRate || path.some(({ profile }) => needsUserspace(profile));
    const quick = path.map(({ segment }) => ({ segment, profile: resolveLinkProfile({ preset: 'none' }) }));
    await this.#join(quick, { isPath, runHasVaryingRate: isVarying });
    return openTunnel(this.network, network);
  }

  #listUsers(users: NetworkOrder['users']): TunnelUsers {
    const addresses = [...new Set(users.map(({ sourceAddress }) => sourceAddress))];
    const elsewhere = this.network.users.flatMap(({ address, ipv6Address }) => [address, ipv6Address]);
    return { addresses, inRemote: addresses.filter((address) => !elsewhere.includes(address)) };
  }

  /** Both ends, by the one link or by a path. */
  async #join(
    path: readonly SegmentProfile[],
    { isPath, runHasVaryingRate }: { isPath: boolean; runHasVaryingRate: boolean },
  ): Promise<void> {
    if (isPath) {
      if (this.network.ground.ipv6Address !== null)
        throw new AppError('testbed-refused', 'A path carries IPv4 only: start the testbed without --ipv6');
      await this.network.requireNodes();
      await this.link[Symbol.asyncDispose]();
      this.#hasPath = true;
      const isVarying = runHasVaryingRate || path.some(({ profile }) => needsUserspace(profile));
      return this.segments.apply(path, { runHasVaryingRate: isVarying });
    }
    await this.segments.close();
    this.#hasPath = false;
    return this.link.apply(path[0]!.profile, { runHasVaryingRate });
  }

  /** Each link with what its figures are named after: of a path, the segment. */
  #linksOf(path: readonly SegmentProfile[]): CountedLink[] {
    if (!this.#hasPath) return [{ name: null, link: this.link, profile: path[0]!.profile }];
    return path.map(({ segment, profile }) => ({ name: segment, link: this.segments.linkOf(segment), profile }));
  }

  /** Where TCP is set: at the origins, the hosts, the users. */
  #endsOfTcp({ tcp, hosts }: Network): ApplyTcpOptions[] {
    const { network } = this;
    const ground = { ...network.ground, enter: network.enter('ground') };
    const remote = { ...network.remote, enter: network.enter('remote') };
    const ends = [
      { own: tcp.ground, end: ground, peer: remote },
      ...(hosts ? [{ own: tcp.ground, end: this.hosts.end, peer: remote }] : []),
      ...[remote, ...network.users].map((end) => ({ own: tcp.remote, end, peer: ground })),
    ];
    return ends.flatMap(({ own, end, peer }) =>
      own ? [{ settings: own, enter: end.enter, interface: end.interface, peer }] : [],
    );
  }

  /** By which packets come from that end to the link, or to the satellite segment. */
  #entrance(end: 'ground' | 'remote'): { enter: [string, ...string[]]; interface: string } {
    const { network } = this;
    if (!this.#hasPath) return { enter: network.enter(end), interface: network[end].interface };
    const node = end === 'ground' ? 'gateway' : 'terminal';
    return { enter: network.enter(node), interface: nodeInterfaces.satellite };
  }

  async #introduce(address: string): Promise<void> {
    if (this.#introduced.has(address)) return;
    await introduceUser(this.network, address);
    this.#introduced.add(address);
  }
}

function refuseLongCheck(takesMs: number): void {
  if (takesMs <= longestCheckMs) return;
  throw new AppError(
    'testbed-refused',
    `Each Round begins with a check of the link, which would take about ${Math.round(takesMs / 1000)} s. It may take ${longestCheckMs / 1000} s: raise the rates of the link, or shorten its delays`,
  );
}

/** Throws `testbed-refused`, before anything was changed, where the machine cannot have a testbed. */
export async function openEmulatedNetwork({
  profile,
  backend,
  userCount,
  hasIpv6,
  hasNodes,
  authorityFolder,
}: {
  profile: LinkProfile;
  backend?: LinkBackendKind | undefined;
  userCount?: number | undefined;
  hasIpv6?: boolean | undefined;
  hasNodes?: boolean | undefined;
  /** Of the authority of the origin, which signs the certificates of hosts too; without it, they have one of their own. */
  authorityFolder?: string | undefined;
}): Promise<EmulatedNetwork> {
  await using resources = new AsyncDisposableStack();
  const network = resources.use(await openTestbedNetwork({ userCount, hasIpv6, hasNodes }));
  const link = resources.use(await openLink({ network, profile, backend }));
  const checker = resources.use(await openLinkChecker(network));
  const segments = new SegmentLinks({ network, only: backend ?? null });
  resources.defer(() => segments.close());
  const hosts = resources.use(new TestbedHosts(network, { authorityFolder }));
  const pathChecker = resources.use(new PathChecker({ network, endToEnd: checker }));
  return new EmulatedNetwork({ network, link, segments, hosts, checker, pathChecker, resources: resources.move() });
}
