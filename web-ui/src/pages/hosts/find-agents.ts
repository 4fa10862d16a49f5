import type { AgentSummary } from '#core/protocol/api/access.ts';
import { splitWords } from '#core/protocol/api/split-words.ts';

export const describeAgentState = ({ isConnected }: Pick<AgentSummary, 'isConnected'>) =>
  isConnected ? 'connected' : 'not connected';

/** The hosts that have every word in what their row shows. */
export function findAgents(agents: readonly AgentSummary[], words: string): readonly AgentSummary[] {
  const sought = splitWords(words.toLowerCase());
  if (sought.length === 0) return agents;
  return agents.filter((agent) => {
    const { name, facts } = agent;
    const shown = [
      name,
      describeAgentState(agent),
      facts.platform,
      ...facts.engines.flatMap(({ engine, version }) => [engine, version]),
      ...facts.interfaces.flatMap((each) => [each.name, ...each.addresses]),
    ];
    const text = shown.join('\n').toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}
