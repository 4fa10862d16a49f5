import { z } from 'zod';
import { AgentSummarySchema, type AgentSummary } from '#core/protocol/api/access.ts';
import { json, nothing, request } from './request.ts';

export function fetchAgents(signal: AbortSignal): Promise<AgentSummary[]> {
  return request({ path: '/api/agents', answer: json(z.array(AgentSummarySchema)), signal });
}

/** Revokes the token that the Agent came with, and forgets the Agent. */
export function revokeAgent(name: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/agents/${encodeURIComponent(name)}`, answer: nothing });
}
