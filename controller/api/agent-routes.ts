import { z } from 'zod';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { listAgents } from '../db/agents.ts';
import { jsonRoute, type Route } from './route.ts';
import type { Services } from './services.ts';

export function agentRoutes({ pool, agents }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/agents',
      summary: 'All Agents that ever connected',
      access: 'evaluator',
      answer: z.array(AgentSummarySchema),
      handle: async () => (await listAgents(pool)).map((agent) => ({ ...agent, isConnected: agents.isConnected(agent.name) })),
    }),
  ];
}
