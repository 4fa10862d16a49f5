import { unlessAborted } from '#core/waiting.ts';
import type { Network } from '#core/evaluation/network/network.ts';
import { describeProblem } from '#core/protocol/agent-messages.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import type { LinkCheck } from '#core/protocol/link-check.ts';
import type { RoundEnd } from '#core/protocol/network-figure.ts';

export interface NetworkOrder {
  /** Null takes classes and TCP settings back. */
  network: Network | null;
  users: { sourceAddress: string; userClass: string | null }[];
  /** Whether the rate of any link of the Run varies, or its queue is managed. */
  runHasVaryingRate: boolean;
  /** What its hosts replay: files of Sites on this machine. */
  replay?: { sites: { file: string; pages: number[] }[]; thinkTimeFactor: number } | undefined;
}

/** An emulated network that an Agent can set. */
export interface Testbed {
  readonly backend: NonNullable<HostFacts['testbed']>['backend'];
  /** Sets all that is ordered and measures what the link then does. Throws when it cannot be set, and the signal's reason soon after it is aborted; nothing of it is left then. */
  apply(order: NetworkOrder, signal: AbortSignal): Promise<LinkCheck | null>;
  /** Takes all but the link back, and returns what the network did since it was set. */
  endRound(): Promise<RoundEnd>;
}

/** Ends the order that came last. */
const latestOf = new WeakMap<Testbed, AbortController>();

/**
 * What cannot be set is an answer, as the Controller asked for one. `fetchReplay`: gets what the hosts replay, if anything. A later order ends the one under way, which the Controller waits for no longer,
 * or is about to take back.
 */
export async function applyToTestbed(
  testbed: Testbed,
  order: Omit<NetworkOrder, 'replay'>,
  fetchReplay: () => Promise<NetworkOrder['replay']>,
): Promise<{ problem: string | null; check: LinkCheck | null; fault: string | null; figures?: RoundEnd['figures'] }> {
  latestOf.get(testbed)?.abort(new Error('Another order for the network came before this one was carried out'));
  const latest = new AbortController();
  latestOf.set(testbed, latest);
  const { signal } = latest;
  try {
    if (order.network === null) return { problem: null, check: null, ...(await testbed.endRound()) };
    const replay = await unlessAborted(fetchReplay(), signal);
    return { problem: null, check: await testbed.apply({ ...order, replay }, signal), fault: null };
  } catch (error) {
    return { problem: describeProblem(error), check: null, fault: null };
  }
}
