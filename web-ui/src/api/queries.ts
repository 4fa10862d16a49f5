import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { MeasureId } from '#core/metrics/measures.ts';
import type { RunSearch } from '#core/protocol/api/run-search.ts';
import { isOpen, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { fetchAgents, fetchHostJoins, fetchTestbed } from './agent-requests.ts';
import type { CaptureOwner } from './capture-requests.ts';
import { fetchEvaluations } from './evaluation-list-requests.ts';
import type { VisitFilter } from './reports.ts';
import { loadPage } from './load-page.ts';
import { fetchRoundsProposal, fetchRuns } from './run-requests.ts';
import { fetchSession } from './session.ts';
import { fetchTokens } from './token-requests.ts';
import { z } from 'zod';
import { StudySummarySchema, type StudySummary } from '#core/protocol/api/studies.ts';
import { json, request } from './request.ts';

// What lists do without comes with its first request: its schemas are large.
const reports = () => loadPage(() => import('./reports.ts'));
const visits = () => loadPage(() => import('./visit-requests.ts'));
const captures = () => loadPage(() => import('./capture-requests.ts'));
const evaluations = () => loadPage(() => import('./evaluation-requests.ts'));
const progress = () => loadPage(() => import('./run-progress.ts'));

const openPollMs = 3000;
const idlePollMs = 15_000;
const startingPollMs = 500;

/** Lists are requested often while something happens in them, seldom otherwise. */
const pollFor = (runs: (Pick<RunSummary, 'state'> | null)[]) =>
  runs.some((run) => run && isOpen(run.state)) ? openPollMs : idlePollMs;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => fetchSession(signal),
  staleTime: Infinity,
});

export const evaluationsQuery = queryOptions({
  queryKey: ['evaluations'],
  queryFn: ({ signal }) => fetchEvaluations(signal),
  refetchInterval: ({ state }) => pollFor(state.data?.map((evaluation) => evaluation.lastRun) ?? []),
});

export const evaluationQuery = (id: string) =>
  queryOptions({
    queryKey: ['evaluations', id],
    queryFn: async ({ signal }) => (await evaluations()).fetchEvaluation(id, signal),
  });

/** As many as the Controller lists at a time. */
const runsPerPage = 200;

/** The newest Runs, without tries. */
export const runsQuery = queryOptions({
  queryKey: ['runs'],
  queryFn: ({ signal }) => fetchRuns({}, signal),
  refetchInterval: ({ state }) => pollFor(state.data ?? []),
});

/** All that are found, some at a time. */
export const runPagesQuery = ({
  withTries = false,
  search = {},
}: { withTries?: boolean; search?: Partial<RunSearch> } = {}) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'pages', { withTries, search }],
    queryFn: ({ pageParam, signal }) => fetchRuns({ before: pageParam, withTries, search }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < runsPerPage ? null : page.at(-1)!.id),
    refetchInterval: ({ state }) => pollFor(state.data?.pages.flat() ?? []),
  });

export const runQuery = (id: string) =>
  queryOptions({ queryKey: ['runs', id], queryFn: async ({ signal }) => (await progress()).fetchRun(id, signal) });

/** Made from the Run as it is now. */
export const roundsProposalQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'rounds-proposal'],
    queryFn: ({ signal }) => fetchRoundsProposal(runId, signal),
    // What is typed is not replaced while the dialog is open.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

export const comparisonQuery = (runId: string, from: LatencyOrigin = 'navigation-start') =>
  queryOptions({
    queryKey: ['runs', runId, 'comparison', from],
    queryFn: async ({ signal }) => (await reports()).fetchComparison(runId, { from, signal }),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.runState) ? openPollMs : false),
  });

export const wireQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'wire'],
    queryFn: async ({ signal }) => (await reports()).fetchWire(runId, signal),
    staleTime: 60_000,
  });

/** Null: of all measures that the Run has. */
export const measurementsQuery = (
  runId: string,
  { measures, from = 'navigation-start' }: { measures: readonly MeasureId[] | null; from?: LatencyOrigin | undefined },
) =>
  queryOptions({
    queryKey: ['runs', runId, 'measurements', from, measures?.join() ?? 'all'],
    queryFn: async ({ signal }) => (await reports()).fetchMeasurements(runId, { measures, from, signal }),
    staleTime: 60_000,
  });

export const methodQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'method'],
    queryFn: async ({ signal }) => (await reports()).fetchMethod(runId, signal),
    staleTime: 60_000,
  });

export const visitPagesQuery = (filter: VisitFilter) =>
  infiniteQueryOptions({
    queryKey: ['runs', filter.runId, 'visits', filter],
    queryFn: async ({ pageParam, signal }) => (await reports()).fetchVisitPage(filter, { after: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
  });

export const visitQuery = (id: string) =>
  queryOptions({
    queryKey: ['visits', id],
    queryFn: async ({ signal }) => (await visits()).fetchVisit(id, signal),
    staleTime: 60_000,
  });

export const captureQuery = (owner: CaptureOwner) =>
  queryOptions({
    queryKey: ['captures', owner.id],
    queryFn: async ({ signal }) => (await captures()).fetchCapture(owner, signal),
  });

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: ({ signal }) => fetchAgents(signal),
  refetchInterval: openPollMs,
});

export const testbedQuery = queryOptions({
  queryKey: ['testbed'],
  queryFn: ({ signal }) => fetchTestbed(signal),
  refetchInterval: ({ state }) => (state.data?.kind === 'starting' ? startingPollMs : idlePollMs),
});

const joiningPollMs = 1000;

/** For admins. */
export const hostJoinsQuery = queryOptions({
  queryKey: ['host-joins'],
  queryFn: ({ signal }) => fetchHostJoins(signal),
  refetchInterval: ({ state }) =>
    state.data?.joins.some((join) => join.state === 'connecting') ? joiningPollMs : openPollMs,
});

export const tokensQuery = queryOptions({ queryKey: ['tokens'], queryFn: ({ signal }) => fetchTokens(signal) });

/** They come with the Controller and stay the same. */
export const studiesQuery = queryOptions({
  queryKey: ['studies'],
  queryFn: ({ signal }) => fetchStudies(signal),
  staleTime: Infinity,
});

function fetchStudies(signal: AbortSignal): Promise<StudySummary[]> {
  return request({ path: '/api/studies', answer: json(z.array(StudySummarySchema)), signal });
}

/** Where the picture of a study is. */
export function studyPicture(name: string): string {
  return `/api/studies/${encodeURIComponent(name)}/picture`;
}

/** Where a study is on the page of a new Evaluation. */
export function studyHash(name: string): string {
  return `#study-${encodeURIComponent(name)}`;
}
