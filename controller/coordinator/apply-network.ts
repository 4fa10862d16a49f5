import { randomUUID } from 'node:crypto';
import { needsUserspace } from '#core/evaluation/network/link-profile.ts';
import { listSegments } from '#core/evaluation/network/network-path.ts';
import type { Network } from '#core/evaluation/network/network.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { describeMismatches } from '#core/protocol/link-check.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { SiteReplay } from '#core/protocol/site-replay.ts';
import type { ReplayPlan } from '../sites/resolve-sites.ts';
import { storeLinkCheck, storeNetworkFigures } from '../runs/rounds.ts';
import { AgentSilentError, askAgent } from './ask-agent.ts';
import { RoundBrokenError, type RunContext } from './run-context.ts';

/** A path whose checks have to be repeated takes more than a minute. */
const answerLimitMs = 120_000;

type NetworkApplied = Extract<AgentMessage, { type: 'network-applied' }>;

/**
 * Has the emulated network of a Scenario set and checked, and stores what the check measured. Throws RoundBrokenError, with the figures,
 * when the link does not do what its profile says, and the signal's reason when that is aborted: it ends what is under way.
 */
export async function applyNetwork(
  context: RunContext,
  { plan, ...round }: { id: string; scenario: Scenario; plan: ReplayPlan | null },
): Promise<void> {
  const { network, name } = round.scenario;
  if (!network) return;
  const { host } = network;
  const ordered = plan ? { network: { ...network, hosts: plan.hosts }, replay: plan.replay } : { network };
  const { problem, check } = await askForNetwork(context, { host, ...ordered }, context.signal);
  context.signal.throwIfAborted();
  if (check) await context.store((db) => storeLinkCheck(db, context.run, { roundId: round.id, check }));
  if (problem !== null) throw new RoundBrokenError(`Cannot set the network of "${name}": ${problem}`);
  const mismatches = check ? describeMismatches(check) : [];
  if (mismatches.length > 0)
    throw new RoundBrokenError(`The link of "${name}" does not match its profile: ${mismatches.join('; ')}`);
}

/** Takes all but the link of a Scenario back, and stores what the network did during the Round. Returns why that breaks the Round; null where it does not. Throws RoundBrokenError when nothing could be taken back. */
export async function resetNetwork(
  context: RunContext,
  { id, scenario }: { id: string; scenario: Scenario },
): Promise<string | null> {
  if (!scenario.network) return null;
  const { problem, figures, fault } = await askForNetwork(context, { host: scenario.network.host, network: null });
  if (problem !== null) throw new RoundBrokenError(`Cannot reset the network of "${scenario.name}": ${problem}`);
  if (figures && figures.length > 0)
    await context.store((db) => storeNetworkFigures(db, context.run, { roundId: id, figures }));
  return fault === null ? null : `The network of "${scenario.name}": ${fault}`;
}

async function askForNetwork(
  { hub, run, time }: RunContext,
  { host, ...ordered }: { host: string; network: Network | null; replay?: SiteReplay },
  signal?: AbortSignal,
): Promise<Pick<NetworkApplied, 'problem' | 'check' | 'figures' | 'fault'>> {
  const orderId = randomUUID();
  if (hub.factsOf(host)?.testbed === null) {
    return {
      problem: `Agent "${host}" has no testbed: start one with ./http-ae testbed up --controller URL --token TOKEN`,
      check: null,
      fault: null,
    };
  }
  const users = run.evaluation.userAgents.flatMap(({ sourceAddress, userClass = null }) =>
    sourceAddress ? [{ sourceAddress, userClass }] : [],
  );
  const runHasVaryingRate = run.evaluation.scenarios.some(
    (scenario) => scenario.network && listSegments(scenario.network).some(({ profile }) => needsUserspace(profile)),
  );
  const order = { type: 'apply-network' as const, users, runHasVaryingRate };
  // A later order ends this one, and `network: null` takes back what it has set by then.
  const end = () => hub.send(host, { ...order, orderId: randomUUID(), network: null });
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await askAgent(hub, {
      agent: host,
      message: { ...order, orderId, ...ordered },
      timeoutMs: answerLimitMs,
      sleep: time.sleep,
      readAnswer: (message) => (message.type === 'network-applied' && message.orderId === orderId ? message : null),
    });
  } catch (error) {
    if (error instanceof AgentSilentError) return { problem: error.message, check: null, fault: null };
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
