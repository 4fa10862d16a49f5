import { z } from 'zod';
import { AgentSummarySchema, type AgentSummary } from '#core/protocol/api/access.ts';
import { TestbedStateSchema, type TestbedState } from '#core/protocol/api/testbed-state.ts';
import { json, nothing, request } from './request.ts';

export function fetchAgents(signal: AbortSignal): Promise<AgentSummary[]> {
  return request({ path: '/api/agents', answer: json(z.array(AgentSummarySchema)), signal });
}

/** Revokes the token that the Agent came with, and forgets the Agent. */
export function revokeAgent(name: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/agents/${encodeURIComponent(name)}`, answer: nothing });
}

/** Of the Controller's own machine. */
export function fetchTestbed(signal: AbortSignal): Promise<TestbedState> {
  return request({ path: '/api/testbed', answer: json(TestbedStateSchema), signal });
}

export function startTestbed(): Promise<void> {
  return request({ method: 'POST', path: '/api/testbed', answer: nothing });
}

export function endTestbed(): Promise<void> {
  return request({ method: 'DELETE', path: '/api/testbed', answer: nothing });
}
