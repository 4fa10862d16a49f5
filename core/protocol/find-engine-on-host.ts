import type { EngineOnHost } from '../evaluation/browser/engine-settings.ts';
import type { Engine } from '../evaluation/users/user-agent.ts';
import type { HostFacts } from './host-facts.ts';

/** What an engine obeys on the host of these facts. An extension that reports nothing is an older one, which obeys nothing. */
export function findEngineOnHost(engine: Engine, facts: Pick<HostFacts, 'engines'> | null | undefined): EngineOnHost {
  const found = facts?.engines.find((each) => each.engine === engine);
  if (!found || engine !== 'extension') return { engine };
  return { engine, settings: found.settings ?? [] };
}
