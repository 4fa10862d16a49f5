import { z } from 'zod';
import { AgentSummarySchema, type AgentSummary } from '#core/protocol/api/access.ts';
import { json, request } from './request.ts';

export function fetchAgents(signal: AbortSignal): Promise<AgentSummary[]> {
  return request({ path: '/api/agents', answer: json(z.array(AgentSummarySchema)), signal });
}
