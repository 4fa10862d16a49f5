import { z } from 'zod';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { mostAddedRounds } from '#core/evaluation/rounds/repetition.ts';
import { wholeNumber } from '#core/evaluation/units.ts';
import type { AuditAction } from '#core/protocol/api/audit-entry.ts';
import { RoundsProposalSchema } from '#core/protocol/api/rounds-proposal.ts';
import { AppError } from '#core/app-error.ts';
import { RunSearchSchema } from '#core/protocol/api/run-search.ts';
import { PassProgressSchema, RunDetailSchema } from '#core/protocol/api/run.ts';
import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { RunContentsSchema, ShownPassesSchema } from '#core/protocol/api/run-contents.ts';
import { RunLabelsSchema } from '#core/protocol/api/run-labels.ts';
import { retryTransient } from '../database/is-transient.ts';
import { authorise } from '../people/authorise.ts';
import { nameIdentity } from '../people/identify.ts';
import type { Queryable } from '../database/queryable.ts';
import { shareRunFeeds } from './run-feed.ts';
import { listRuns } from './search-runs.ts';
import { deleteRun, readRunContents } from './run-deletion.ts';
import { findRunSummary } from './run-summaries.ts';
import { requireSites } from '../sites/resolve-sites.ts';
import { readRun } from './stored-runs.ts';
import { needEvaluation } from '../evaluations/evaluation-routes.ts';
import { proposeRounds } from '../estimates/propose-rounds.ts';
import { emptyRoute, jsonRoute, streamRoute, type AuditNote, type Route, IdParams, IdSchema } from '../http/route.ts';
import { readPasses, readRunDetail } from './run-detail.ts';
import type { Services } from '../http/services.ts';
import { streamRunEvents } from './stream-run-events.ts';

const runsPerPage = 200;
const RunRequestSchema = z
  .strictObject({
    seed: z.number().int('must be a whole number').min(0).max(0x7fff_ffff).optional(),
    labels: RunLabelsSchema.default({}),
  })
  .prefault({});
const NewRunSchema = RunRequestSchema.unwrap()
  .extend({ rounds: wholeNumber({ min: 1, max: 1000 }).optional() })
  .prefault({});
const AddedRoundsRequestSchema = z.strictObject({
  rounds: wholeNumber({ min: 1, max: mostAddedRounds }),
});
const PageQuery = RunSearchSchema.extend({
  before: IdSchema.optional(),
  tries: z.enum(['with', 'without'], { error: 'must be "with" or "without"' }).default('without'),
});

const ShownQuery = z.object({ passes: ShownPassesSchema.default('all') });
const EventsQuery = ShownQuery.extend({
  changes: z.enum(['yes', 'no'], { error: 'must be "yes" or "no"' }).default('no'),
});
const RoundParams = IdParams.extend({ round: z.uuid('must be the id of a Round') });

export function runRoutes(services: Services): Route[] {
  const { pool, log, runControl, clearing } = services;
  const feedOf = shareRunFeeds(services);
  /** What changes the course of a Run, and leaves one that it does not fit as it is. */
  const courseRoute = (
    verb: 'stop' | 'pause' | 'resume',
    { summary, action, change }: { summary: string; action: AuditAction; change: (id: string) => Promise<void> },
  ) =>
    jsonRoute({
      method: 'post',
      path: `/api/runs/:id/${verb}`,
      summary,
      access: 'evaluator',
      params: IdParams,
      answer: RunSummarySchema,
      handle: async ({ params }) => {
        await needRun(pool, params.id);
        await change(params.id);
        return needRun(pool, params.id);
      },
      audit: (_call, run) => noteRun(action, run),
    });
  return [
    jsonRoute({
      method: 'post',
      path: '/api/evaluations/:id/runs',
      summary:
        'Start a Run of an Evaluation; the same seed gives the same order of Rounds. `labels`, such as the build, are the x axis of its trend. `rounds` of each Scenario go before those of the Evaluation',
      access: 'evaluator',
      params: IdParams,
      body: NewRunSchema,
      status: 201,
      answer: RunSummarySchema,
      handle: async ({ params, body, identity }) => {
        await requireSites(pool, (await needEvaluation(pool, params.id)).document);
        const requestedBy = nameIdentity(identity);
        return needRun(
          pool,
          await runControl.requestRun({
            evaluationId: params.id,
            requestedBy,
            labels: body.labels,
            ...(body.seed !== undefined && { seed: body.seed }),
            ...(body.rounds !== undefined && { rounds: body.rounds }),
          }),
        );
      },
      audit: (_call, run) => noteRun('run-started', run),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/runs/:id/again',
      summary: 'Start a Run of the same configuration as this Run, even if its Evaluation has changed since',
      access: 'evaluator',
      params: IdParams,
      body: RunRequestSchema,
      status: 201,
      answer: RunSummarySchema,
      handle: async ({ params, body, identity }) => {
        const requestedBy = nameIdentity(identity);
        const repeated = await readRun(pool, params.id);
        if (repeated) await requireSites(pool, EvaluationSchema.parse(repeated.document));
        return needRun(
          pool,
          await runControl.repeatRun({
            runId: params.id,
            requestedBy,
            labels: body.labels,
            ...(body.seed !== undefined && { seed: body.seed }),
          }),
        );
      },
      audit: ({ params }, run) => noteRun('run-started', run, { repeats: params.id }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/added-rounds/proposal',
      summary: 'Propose how many Rounds to add to an ended Run, from its observed variation',
      access: 'viewer',
      params: IdParams,
      answer: RoundsProposalSchema,
      handle: ({ params }) => proposeRounds(pool, params.id),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/runs/:id/added-rounds',
      summary: 'Add Rounds of each Scenario to a completed Run, which then continues when its turn comes',
      access: 'evaluator',
      params: IdParams,
      body: AddedRoundsRequestSchema,
      status: 201,
      answer: RunSummarySchema,
      handle: async ({ params, body, identity }) => {
        await runControl.addRounds({ runId: params.id, rounds: body.rounds, requestedBy: nameIdentity(identity) });
        return needRun(pool, params.id);
      },
      audit: ({ body }, run) => noteRun('rounds-added', run, { rounds: body.rounds }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs',
      summary: `List the newest ${runsPerPage} Runs, or those that a search finds, or those after the Run \`before\` in that list; \`tries=with\` includes tries`,
      access: 'viewer',
      query: PageQuery,
      answer: z.array(RunSummarySchema),
      handle: ({ query: { before = null, tries, ...search } }) =>
        listRuns(pool, { search, before, withTries: tries === 'with', limit: runsPerPage }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id',
      summary:
        'Get a Run with its progress. `passes=current` leaves out the Passes of all Rounds but the one under way, or tried last',
      access: 'viewer',
      params: IdParams,
      query: ShownQuery,
      answer: RunDetailSchema,
      handle: async ({ params, query }) => {
        const detail = await readRunDetail(services, params.id, query.passes);
        if (!detail) throw noRun(params.id);
        return detail;
      },
    }),
    streamRoute({
      method: 'get',
      path: '/api/runs/:id/events',
      summary:
        'Get the same as server-sent events: one at once and one after each change, until the Run has ended. With `changes=yes`, those after the first are `change` events with what changed',
      access: 'viewer',
      params: IdParams,
      query: EventsQuery,
      content: { 'text/event-stream': z.string() },
      write: async ({ params, query, request, response, signal }) => {
        await needRun(pool, params.id);
        const mayStill = () =>
          retryTransient(
            () =>
              authorise(
                services,
                { access: 'viewer', isForPeople: false, isShared: false, isForAgents: false },
                request,
              ),
            { signal, log },
          );
        const feed = feedOf(params.id, query.passes);
        await streamRunEvents(feed, { sendsChanges: query.changes === 'yes', response, mayStill, signal });
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/rounds/:round/passes',
      summary: 'Get the Passes of one Round of a Run',
      access: 'viewer',
      params: RoundParams,
      answer: z.array(PassProgressSchema),
      handle: async ({ params }) => {
        const passes = await readPasses(services, { runId: params.id, roundId: params.round });
        if (!passes) throw new AppError('not-found', `Run ${params.id} has no Round ${params.round}`);
        return passes;
      },
    }),
    courseRoute('stop', {
      summary: 'Stop a Run; an ended Run stays unchanged',
      change: (id) => runControl.stopRun(id),
      action: 'run-stopped',
    }),
    courseRoute('pause', {
      summary: 'Pause a Run after the current Round; a paused or ended Run stays unchanged',
      change: (id) => runControl.pauseRun(id),
      action: 'run-paused',
    }),
    courseRoute('resume', {
      summary: 'Resume a paused Run; any other Run stays unchanged',
      change: (id) => runControl.resumeRun(id),
      action: 'run-resumed',
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/contents',
      summary: 'Get what would be deleted with a Run',
      access: 'viewer',
      params: IdParams,
      answer: RunContentsSchema,
      handle: async ({ params }) => {
        await needRun(pool, params.id);
        return readRunContents(pool, [params.id]);
      },
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/runs/:id',
      summary:
        'Delete an ended Run with its Visits, traces, pictures and shared links, for good. It disappears at once, its data in the background',
      access: 'evaluator',
      params: IdParams,
      handle: async ({ params }) => {
        const { evaluationName } = await needRun(pool, params.id);
        await deleteRun(pool, params.id);
        clearing.wake();
        return evaluationName;
      },
      audit: ({ params: { id } }, evaluationName) => noteRun('run-deleted', { id, evaluationName }),
    }),
  ];
}

/** What the audit log records of a change of a Run. */
export function noteRun(
  action: AuditAction,
  { id, evaluationName }: Pick<RunSummary, 'id' | 'evaluationName'>,
  details: AuditNote['details'] = {},
): AuditNote {
  return { action, subject: `Run ${id} of "${evaluationName}"`, details: { run: id, ...details } };
}

/** Throws `not-found`. */
export async function needRun(db: Queryable, id: string): Promise<RunSummary> {
  const found = await findRunSummary(db, id);
  if (!found) throw noRun(id);
  return found;
}

function noRun(id: string): AppError {
  return new AppError('not-found', `There is no Run ${id}`);
}
