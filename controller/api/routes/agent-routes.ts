import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { listAgents, removeAgent } from '../../db/agents.ts';
import { emptyRoute, jsonRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

export function agentRoutes({ pool, agents }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/agents',
      summary: 'List all Agents that have connected and were not revoked',
      access: 'viewer',
      answer: z.array(AgentSummarySchema),
      handle: async () => {
        const elsewhere = await agents.listElsewhere();
        return (await listAgents(pool)).map((agent) => ({
          ...agent,
          isConnected: agents.isConnected(agent.name) || elsewhere.has(agent.name),
        }));
      },
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/agents/:name',
      summary:
        'Revoke the token of an Agent, disconnect all Agents that use it, and remove this Agent from the list. Its measurements stay',
      access: 'evaluator',
      isForPeople: true,
      params: z.object({ name: NameSchema }),
      handle: async ({ params }) => {
        const removed = await removeAgent(pool, params.name);
        if (!removed) throw new AppError('not-found', `There is no Agent "${params.name}"`);
        if (removed.tokenId !== null) agents.dropToken(removed.tokenId);
      },
      audit: ({ params }) => ({ action: 'host-revoked', subject: params.name }),
    }),
  ];
}
