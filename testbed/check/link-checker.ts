import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { allSettled } from '#core/waiting.ts';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { startPlaceProcess, type PlaceProcess } from '../namespaces/place-process.ts';
import type { NodePlace, Place } from '../namespaces/namespace-name.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { judgeLink, type LinkMeasurement, countLosses } from './judge-link.ts';
import { ProbeAnswerSchema, probePort, type ProbeAnswer, type ProbeOrder } from './link-probe.ts';
import { drainMs, planCheck, shortEffort, type CheckEffort, type CheckPlan } from './plan-check.ts';

export interface CheckedLink {
  isAsWritten: boolean;
  findings: LinkFinding[];
  measurement: LinkMeasurement;
  tookMs: number;
}

/** A busy moment of the machine spoils one check. A link that is wrong fails all of them. */
const checksAtMost = 3;
/** Checks of links with very long delays take long themselves: no other begins after this time. */
const repeatWithinMs = 15_000;

/** What a measured link is held against. */
export type JudgeLink = (profile: LinkProfile, measurement: LinkMeasurement) => LinkFinding[];

interface CheckOptions {
  /** By the profile itself unless given. */
  judge?: JudgeLink;
  signal?: AbortSignal | undefined;
}

type EndAddresses = Readonly<Record<'ground' | 'remote', { address: string }>>;

/** Measures a link, from its end nearer to the origins (`ground`) to the one nearer to the users. Its two processes stay until it is disposed of, so that a check before each Round begins at once. */
export class LinkChecker implements AsyncDisposable {
  readonly #ends: EndAddresses;
  readonly #ground: PlaceProcess<ProbeOrder, ProbeAnswer>;
  readonly #remote: PlaceProcess<ProbeOrder, ProbeAnswer>;

  constructor(
    ends: EndAddresses,
    { ground, remote }: Record<'ground' | 'remote', PlaceProcess<ProbeOrder, ProbeAnswer>>,
  ) {
    this.#ends = ends;
    this.#ground = ground;
    this.#remote = remote;
  }

  /** Repeats a check that failed, and returns the last one. Nothing else may use the link meanwhile. Throws `testbed-failed`, and the signal's reason once no packet of a check is under way. */
  async runUntilAsWritten(profile: LinkProfile, options: CheckOptions = {}): Promise<CheckedLink> {
    const startMs = performance.now();
    let checked = await this.run(profile, shortEffort, options);
    for (
      let checks = 1;
      checks < checksAtMost && !checked.isAsWritten && performance.now() - startMs < repeatWithinMs;
      checks++
    )
      checked = await this.run(profile, shortEffort, options);
    return { ...checked, tookMs: performance.now() - startMs };
  }

  /** Nothing else may use the link meanwhile. Throws `testbed-failed` only when it could not be measured, and as `runUntilAsWritten` when aborted. */
  async run(
    profile: LinkProfile,
    effort: CheckEffort = shortEffort,
    { judge = judgeLink, signal }: CheckOptions = {},
  ): Promise<CheckedLink> {
    const startMs = performance.now();
    const plan = planCheck(profile, effort);
    signal?.throwIfAborted();
    const probes = await this.#probe(plan);
    signal?.throwIfAborted();
    const rate = await this.#load(profile, plan);
    const measurement = { ...probes, rate };
    const findings = judge(profile, measurement);
    return {
      isAsWritten: findings.every(({ isWithin }) => isWithin),
      findings,
      measurement,
      tookMs: performance.now() - startMs,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#ground[Symbol.asyncDispose](), this.#remote[Symbol.asyncDispose]()]);
  }

  async #probe({ probeCount, probeIntervalMs, settleMs }: CheckPlan): Promise<Omit<LinkMeasurement, 'rate'>> {
    await this.#forget();
    const order = {
      kind: 'probe',
      to: this.#ends.ground.address,
      count: probeCount,
      intervalMs: probeIntervalMs,
      waitMs: settleMs,
    } as const;
    const { roundTripsMs, returnedNumbers } = await this.#ask('remote', order, probeCount * probeIntervalMs + settleMs);
    const { receivedNumbers } = await this.#ask('ground', { kind: 'report' });
    return {
      roundTripsMs,
      // A probe goes by the return link first, as remote sends it, and comes back by the forward link.
      probesSent: { return: probeCount, forward: receivedNumbers.length },
      probesLost: {
        return: countLosses(receivedNumbers, probeCount),
        forward: countLosses(returnedNumbers, receivedNumbers.length),
      },
    };
  }

  async #load(profile: LinkProfile, plan: CheckPlan): Promise<LinkMeasurement['rate']> {
    await this.#forget();
    const [forward, back] = await allSettled([
      this.#loadDirection(profile, { plan, side: 'forward' }),
      this.#loadDirection(profile, { plan, side: 'return' }),
    ]);
    return { forward, return: back };
  }

  async #loadDirection(
    profile: LinkProfile,
    { plan, side }: { plan: CheckPlan; side: 'forward' | 'return' },
  ): Promise<LinkMeasurement['rate']['forward']> {
    const load = plan[side];
    if (load === null) return null;
    const [sender, receiver] = side === 'forward' ? (['ground', 'remote'] as const) : (['remote', 'ground'] as const);
    await this.#ask(
      sender,
      { kind: 'load', to: this.#ends[receiver].address, ...load },
      (load.totalBytes * 8) / load.kbps,
    );
    await pause(drainMs(profile[side], load));
    const { load: received } = await this.#ask(receiver, { kind: 'report' });
    if (received === null || received.packets < 2) return null;
    const overMs = received.lastMs - received.firstMs;
    return { kbps: ((received.packets - 1) * received.frameBytes * 8) / overMs, packets: received.packets, overMs };
  }

  async #forget(): Promise<void> {
    await Promise.all([this.#ask('ground', { kind: 'forget' }), this.#ask('remote', { kind: 'forget' })]);
  }

  #ask(place: 'ground' | 'remote', order: ProbeOrder, takesMs = 0): Promise<ProbeAnswer> {
    return (place === 'ground' ? this.#ground : this.#remote).ask(order, takesMs + 10_000);
  }
}

export async function openLinkChecker(network: TestbedNetwork): Promise<LinkChecker> {
  await using stack = new AsyncDisposableStack();
  const ground = stack.use(await startProbe(network, 'ground'));
  const remote = stack.use(await startProbe(network, 'remote'));
  stack.move(); // the checker disposes of them
  return new LinkChecker(network, { ground, remote });
}

/** Starts the process that measures at one end of the link between `ground` and `remote`. */
export function startProbe(
  network: TestbedNetwork,
  place: 'ground' | 'remote',
): Promise<PlaceProcess<ProbeOrder, ProbeAnswer>> {
  return startProbeAt(network, { place, address: network[place].address, port: probePort });
}

/** The same at an end of any link of the testbed: both ends have the same port. */
export function startProbeAt(
  network: TestbedNetwork,
  { place, address, port }: { place: Place | NodePlace; address: string; port: number },
): Promise<PlaceProcess<ProbeOrder, ProbeAnswer>> {
  return startPlaceProcess({
    network,
    place,
    program: path.join(import.meta.dirname, 'probe-process.ts'),
    args: [address, `${port}`],
    answerSchema: ProbeAnswerSchema,
    name: `The link check's process in ${place}`,
  });
}
