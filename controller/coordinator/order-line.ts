import type { ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { AgentHub } from '../hub/agent-hub.ts';

/** What the execution of a Run needs of the hub. */
export type OrderLine = Pick<AgentHub, 'isConnected' | 'factsOf' | 'send' | 'on' | 'off'>;

/** The Agents as the owner of a Run reaches them: not at all when its lease is over, because another Controller may order them by then. */
export function openOrderLine(hub: AgentHub, { mayOrder }: { mayOrder: () => boolean }): OrderLine {
  return {
    isConnected: (name) => mayOrder() && hub.isConnected(name),
    factsOf: (name) => hub.factsOf(name),
    send: (name: string, message: ControllerMessage) => {
      if (mayOrder()) hub.send(name, message);
    },
    on: hub.on.bind(hub),
    off: hub.off.bind(hub),
  };
}
