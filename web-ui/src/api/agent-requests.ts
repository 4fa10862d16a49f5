import { z } from 'zod';
import { AgentSummarySchema, type AgentSummary } from '#core/protocol/api/access.ts';
import { TestbedStateSchema, type TestbedState } from '#core/protocol/api/testbed-state.ts';
import {
  HostJoinSchema,
  HostJoinsSchema,
  type HostJoin,
  type HostJoinRequestSchema,
  type HostJoins,
} from '#core/protocol/api/host-join.ts';
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

/** The hosts that were joined over SSH from the page. */
export function fetchHostJoins(signal: AbortSignal): Promise<HostJoins> {
  return request({ path: '/api/host-joins', answer: json(HostJoinsSchema), signal });
}

/** Begins to join a machine over SSH. */
export function joinHost(order: z.input<typeof HostJoinRequestSchema>): Promise<HostJoin> {
  return request({ method: 'POST', path: '/api/host-joins', body: { json: order }, answer: json(HostJoinSchema) });
}

/** Stops it, ends the connection that holds the host, or takes it off the list. */
export function stopHostJoin(id: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/host-joins/${encodeURIComponent(id)}`, answer: nothing });
}
