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
  /** Sets all that is ordered and measures what the link then does. Throws when it cannot be set; nothing of it is left then. */
  apply(order: NetworkOrder): Promise<LinkCheck | null>;
  /** Takes all but the link back, and returns what the network did since it was set. */
  endRound(): Promise<RoundEnd>;
}

/** The order that came last. */
const latestOf = new WeakMap<Testbed, object>();

/**
 * What cannot be set is an answer, as the Controller asked for one. `fetchReplay`: gets what the hosts replay, if anything. That may take longer than the Controller waits: an order that another has overtaken
 * meanwhile is not carried out, as it would change the network of a later Round.
 */
export async function applyToTestbed(
  testbed: Testbed,
  order: Omit<NetworkOrder, 'replay'>,
  fetchReplay: () => Promise<NetworkOrder['replay']>,
): Promise<{ problem: string | null; check: LinkCheck | null; fault: string | null; figures?: RoundEnd['figures'] }> {
  latestOf.set(testbed, order);
  try {
    if (order.network === null) return { problem: null, check: null, ...(await testbed.endRound()) };
    const replay = await fetchReplay();
    if (latestOf.get(testbed) !== order)
      throw new Error('Another order for the network came before its files were here');
    return { problem: null, check: await testbed.apply({ ...order, replay }), fault: null };
  } catch (error) {
    return { problem: describeProblem(error), check: null, fault: null };
  }
}
