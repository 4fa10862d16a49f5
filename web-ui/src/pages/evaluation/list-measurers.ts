import type { Engine } from '#core/evaluation/users/user-agent.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { findEngineOnHost } from '#core/protocol/host-facts.ts';

/** An engine on a connected host. */
export interface Measurer {
  key: string;
  host: string;
  engine: Engine;
  /** What of a Scenario it obeys there, where hosts differ in that. */
  settings?: readonly string[] | undefined;
}

/** What obeys the most settings comes first, and the client that shows nothing last. */
const preferredEngines: readonly Engine[] = ['chrome', 'firefox', 'extension', 'http'];

/** All that can load pages now, real browsers first. */
export function listMeasurers(agents: readonly AgentSummary[]): Measurer[] {
  const rank = ({ engine }: Measurer) => preferredEngines.indexOf(engine);
  return agents
    .filter(({ isConnected }) => isConnected)
    .flatMap(({ name, facts }) =>
      facts.engines.map(({ engine }) => ({
        key: JSON.stringify([name, engine]),
        host: name,
        ...findEngineOnHost(engine, facts),
      })),
    )
    .toSorted((one, other) => rank(one) - rank(other));
}
