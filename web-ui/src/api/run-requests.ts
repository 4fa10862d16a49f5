import { z } from 'zod';
import type { RunSearch } from '#core/protocol/api/run-search.ts';
import { RoundsProposalSchema, type RoundsProposal } from '#core/protocol/api/rounds-proposal.ts';
import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { json, nothing, request } from './request.ts';

const pathOf = (id: string) => `/api/runs/${encodeURIComponent(id)}`;

/** Runs that are found, or those that follow one in their list; with those that only tried a URL if requested. */
export function fetchRuns(
  {
    before = null,
    withTries = false,
    search = {},
  }: { before?: string | null; withTries?: boolean; search?: Partial<RunSearch> },
  signal: AbortSignal,
): Promise<RunSummary[]> {
  const asked = { ...search, before, ...(withTries && { tries: 'with' }) };
  const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] != null);
  const parameters = new URLSearchParams(given);
  return request({ path: `/api/runs?${parameters.toString()}`, answer: json(z.array(RunSummarySchema)), signal });
}

export function startRun(evaluationId: string): Promise<RunSummary> {
  return request({
    method: 'POST',
    path: `/api/evaluations/${encodeURIComponent(evaluationId)}/runs`,
    answer: json(RunSummarySchema),
  });
}

/** A new Run of the same configuration. */
export function repeatRun(id: string): Promise<RunSummary> {
  return request({ method: 'POST', path: `${pathOf(id)}/again`, answer: json(RunSummarySchema) });
}

/** How many Rounds to add to it. */
export function fetchRoundsProposal(id: string, signal: AbortSignal): Promise<RoundsProposal> {
  return request({ path: `${pathOf(id)}/added-rounds/proposal`, answer: json(RoundsProposalSchema), signal });
}

/** Continues it with so many Rounds of each Scenario. */
export function addRounds(id: string, rounds: number): Promise<RunSummary> {
  return request({
    method: 'POST',
    path: `${pathOf(id)}/added-rounds`,
    body: { json: { rounds } },
    answer: json(RunSummarySchema),
  });
}

export function stopRun(id: string): Promise<void> {
  return request({ method: 'POST', path: `${pathOf(id)}/stop`, answer: nothing });
}

/** Lets it rest after the Round under way. */
export function pauseRun(id: string): Promise<void> {
  return request({ method: 'POST', path: `${pathOf(id)}/pause`, answer: nothing });
}

export function resumeRun(id: string): Promise<void> {
  return request({ method: 'POST', path: `${pathOf(id)}/resume`, answer: nothing });
}

/** Where all that is stored of a Run can be downloaded from, once it has ended. */
export const bundlePath = (runId: string) => `${pathOf(runId)}/bundle`;

/** Where a Run's Visits can be downloaded from, one row each. */
export const visitsPath = (runId: string, { format, from }: { format: 'csv' | 'json'; from: LatencyOrigin }) =>
  `${pathOf(runId)}/visits?${new URLSearchParams({ format, ...fromSearch(from) }).toString()}`;

/** What an address carries of the start of latencies. Navigation start needs nothing. */
export function fromSearch(from: LatencyOrigin): { from?: LatencyOrigin } {
  return from === 'navigation-start' ? {} : { from };
}
