import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import type { OwnedRun } from '../runs/stored-runs.ts';
import type { AgentReach } from '../agents/exchange/agent-reach.ts';

type Held = Pick<Extract<AgentMessage, { type: 'hello' }>, 'passes'>;

interface Listen {
  /** `held`: what the Agent still holds. */
  (event: 'connected', listener: (name: string, held: Held) => void): unknown;
  (event: 'disconnected', listener: (name: string) => void): unknown;
  (event: 'message', listener: (name: string, message: AgentMessage) => void): unknown;
}

/** What the execution of a Run needs of its Agents, wherever they are connected. */
export interface OrderLine {
  on: Listen;
  off: Listen;
  isConnected: (name: string) => boolean;
  /** Whether its orders take the longer way by another Controller; never where left out. */
  isElsewhere?: (name: string) => boolean;
  factsOf: (name: string) => HostFacts | null;
  send: (name: string, message: ControllerMessage) => void;
}

/** The Agents as the owner of a Run reaches them: not at all when its lease is over, because another Controller may order them by then. */
export function openOrderLine(
  reach: AgentReach,
  { run, mayOrder }: { run: Pick<OwnedRun, 'id' | 'epoch'>; mayOrder: () => boolean },
): OrderLine {
  const { id, epoch } = run;
  return {
    isConnected: (name) => mayOrder() && reach.isConnected(name),
    isElsewhere: (name) => reach.isElsewhere(name),
    factsOf: (name) => reach.factsOf(name),
    send: (name, message) => {
      if (mayOrder()) reach.send(name, message, { id, epoch });
    },
    on: reach.on.bind(reach),
    off: reach.off.bind(reach),
  };
}
