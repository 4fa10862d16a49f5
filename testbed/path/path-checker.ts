import { allSettled } from '#core/waiting.ts';
import type { Segment, SegmentProfile } from '#core/evaluation/network/network-path.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { LinkChecker, startProbeAt } from '../check/link-checker.ts';
import { nodeAddresses } from '../namespaces/addresses.ts';
import type { NodePlace } from '../namespaces/namespace-name.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import {
  hasVaryingRate,
  type LinkDirection,
  type LinkProfile,
  peakKbps,
  independentBurstPackets,
} from '#core/evaluation/network/link-profile.ts';
import { judgeLink, type LinkMeasurement } from '../check/judge-link.ts';
import { checkMs, holdsProbesUp, probeFrameBytes, probeIntervalOf } from '../check/plan-check.ts';

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

  /** `path`: from the users to the origins. Nothing else may use it meanwhile. Throws as `LinkChecker` does. */
  async runUntilAsWritten(
    path: readonly SegmentProfile[],
    signal?: AbortSignal,
  ): Promise<{ findings: LinkFinding[]; tookMs: number }> {
    const startMs = performance.now();
    const alone = await allSettled(
      path.map(async ({ segment, profile }) => {
        const checker = await this.#checkerOf(segment);
        const { findings } = await checker.runUntilAsWritten(profile, { signal });
        return findings.map((finding) => ({ segment, ...finding }));
      }),
    );
    const fromGround = path.map(({ profile }) => profile).toReversed();
    const whole = await this.#endToEnd.runUntilAsWritten(composePath(fromGround), {
      judge: (_, measurement) => judgePath(fromGround, measurement),
      signal,
    });
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

/**
 * What a path was measured to do from end to end, held against its segments, in the order that the forward direction passes them: round trip and losses of all together,
 * and the lowest rate, less what is lost behind it. That rate is not judged where packets are lost before it, as the load does not fill it then, nor losses where probes wait for the trace of a segment. Bursts are judged on each segment alone.
 */
export function judgePath(profiles: readonly LinkProfile[], measurement: LinkMeasurement): LinkFinding[] {
  const whole = composePath(profiles);
  const afterBottleneck = {
    ...whole,
    forward: loseAfterBottleneck(
      whole.forward,
      profiles.map(({ forward }) => forward),
    ),
    return: loseAfterBottleneck(whole.return, profiles.map(({ return: back }) => back).toReversed()),
  };
  const isVarying = profiles.some(hasVaryingRate);
  const areLossesSeen = !profiles.some((profile) => holdsProbesUp(profile, probeIntervalOf(whole)));
  return [
    ...judgeLink(whole, measurement).filter(({ figure }) =>
      figure === 'round trip' ? !isVarying : areLossesSeen && (figure === 'forward loss' || figure === 'return loss'),
    ),
    ...judgeLink(afterBottleneck, measurement).filter(
      ({ figure }) => figure === 'forward rate' || figure === 'return rate',
    ),
  ];
}

/** `directions`: in the order that a packet passes them. */
function loseAfterBottleneck(whole: LinkDirection, directions: readonly LinkDirection[]): LinkDirection {
  const bottleneck = findBottleneck(directions);
  const isFilled = combineLosses(directions.slice(0, bottleneck)) === 0;
  const isConstant = directions.every(({ rate }) => rate.kind === 'constant' || rate.kind === 'unlimited');
  if (!isFilled || !isConstant) return { ...whole, rate: { kind: 'unlimited' } };
  return { ...whole, lossRatio: combineLosses(directions.slice(bottleneck)) };
}

/** How long the check of a path takes: that of its segments, all at once, and then that from end to end. */
export function pathCheckMs(path: readonly SegmentProfile[]): number {
  const profiles = path.map(({ profile }) => profile);
  return Math.max(...profiles.map((profile) => checkMs(profile))) + checkMs(composePath(profiles.toReversed()));
}

/** The single link that does to a probe what all segments, in the order that the forward direction passes them, do together. */
export function composePath(profiles: readonly LinkProfile[]): LinkProfile {
  return {
    name: profiles.map(({ name }) => name).join(' + '),
    forward: composeDirection(profiles.map(({ forward }) => forward)),
    return: composeDirection(profiles.map(({ return: back }) => back)),
  };
}

/** Which of the directions in a row has the lowest peak rate; the first where several have. */
function findBottleneck(directions: readonly LinkDirection[]): number {
  const peaks = directions.map(({ rate }) => peakKbps(rate));
  return peaks.indexOf(Math.min(...peaks));
}

function composeDirection(directions: readonly LinkDirection[]): LinkDirection {
  const bottleneck = directions[findBottleneck(directions)]!;
  const others = directions.filter((each) => each !== bottleneck);
  const lossRatio = combineLosses(directions);
  const bursts = directions.flatMap(({ lossBurstPackets }) => lossBurstPackets ?? []);
  return {
    rate: bottleneck.rate,
    queueBytes: bottleneck.queueBytes,
    lossRatio,
    // The longest of them: bounds that hold for it hold for all together.
    lossBurstPackets:
      bursts.length === 0 || lossRatio >= 1 ? null : Math.max(independentBurstPackets(lossRatio), ...bursts),
    delayMs: sum(directions.map(({ delayMs }) => delayMs)) + sum(others.map(probeMs)),
    jitterMs: sum(directions.map(({ jitterMs }) => jitterMs)),
  };
}

/** The probability that a packet is lost on one of them, as no loss on one depends on another. */
function combineLosses(directions: readonly LinkDirection[]): number {
  return 1 - directions.reduce((kept, { lossRatio }) => kept * (1 - lossRatio), 1);
}

/** What a probe takes to be sent; 0 where that depends on when. */
function probeMs({ rate }: LinkDirection): number {
  return rate.kind === 'constant' ? (probeFrameBytes * 8) / rate.kbps : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
