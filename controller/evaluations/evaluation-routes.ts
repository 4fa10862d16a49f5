import { stringify } from 'yaml';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { EvaluationInputSchema, expandDocument } from '#core/evaluation/evaluation-document.ts';
import { EvaluationTrendSchema } from '#core/protocol/api/evaluation-trend.ts';
import { EstimateAnswerSchema } from '#core/protocol/api/estimate-answer.ts';
import { RunContentsSchema } from '#core/protocol/api/run-contents.ts';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { StoredEvaluationSchema, type StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { EvaluationSummarySchema, type EvaluationSummary } from '#core/protocol/api/evaluation-summary.ts';
import { nameIdentity } from '../people/identify.ts';
import {
  createEvaluation,
  deleteEvaluation,
  findEvaluation,
  listEvaluations,
  restoreEvaluation,
  updateEvaluation,
} from './evaluations.ts';
import type { Queryable } from '../database/queryable.ts';
import { eraseEvaluation, listRunIds, readRunContents } from '../runs/run-deletion.ts';
import { readTrend } from '../runs/run-trends.ts';
import { findLastResults, findLastRuns, findRunSummary } from '../runs/run-summaries.ts';
import { estimateBeforeRun } from '../estimates/estimate-before-run.ts';
import { emptyRoute, jsonRoute, streamRoute, type Route, IdParams, IdSchema } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { resolveKnownSites, resolveSites } from '../sites/resolve-sites.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';

const mostRunsOfTrend = 500;
const VersionQuery = z.object({
  /** The version that the change started from. */
  version: z
    .string({ error: 'is needed: the version that the change started from' })
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number'),
});

const CreateQuery = z.object({
  /** The Run whose Evaluation the new one is a change of. */
  changedFromRun: IdSchema.optional(),
});

const DeleteQuery = z.object({
  /** What becomes of its Runs. */
  runs: z.enum(['keep', 'delete'], { error: 'must be "keep" or "delete"' }).default('keep'),
});

const EstimateQuery = z.object({
  /** The stored Evaluation that the given one is a change of. */
  changes: IdSchema.optional(),
  /** The Run whose Evaluation the given one is a change of. */
  changedFromRun: IdSchema.optional(),
});

export function evaluationRoutes({ pool, siteReader, clearing }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/evaluations',
      summary: 'List all Evaluations, the last changed first',
      access: 'viewer',
      answer: z.array(EvaluationSummarySchema),
      handle: async () => {
        const [evaluations, lastRuns, lastResults] = await Promise.all([
          listEvaluations(pool),
          findLastRuns(pool),
          findLastResults(pool),
        ]);
        return evaluations.map((evaluation) =>
          summariseEvaluation(evaluation, {
            lastRun: lastRuns.get(evaluation.id) ?? null,
            lastResult: lastResults.get(evaluation.id) ?? null,
          }),
        );
      },
    }),
    jsonRoute({
      method: 'post',
      path: '/api/evaluations',
      summary: 'Store a new Evaluation, given as JSON or YAML; `changedFromRun` is the Run whose Evaluation it changes',
      access: 'evaluator',
      query: CreateQuery,
      body: EvaluationInputSchema,
      takesYaml: true,
      status: 201,
      answer: StoredEvaluationSchema,
      handle: async ({ query: { changedFromRun = null }, body, identity }) => {
        if (changedFromRun !== null && !(await findRunSummary(pool, changedFromRun)))
          throw new AppError('not-found', `There is no Run ${changedFromRun}`);
        return createEvaluation(pool, await resolveSites(body, { db: pool, siteReader }), {
          by: nameIdentity(identity),
          changedFromRun,
        });
      },
      audit: (_call, { id, document }) => ({
        action: 'evaluation-created',
        subject: describeEvaluation(id, document.name),
      }),
    }),
    streamRoute({
      method: 'get',
      path: '/api/evaluations/:id.yaml',
      summary: 'Get an Evaluation as YAML, with all defaults written out',
      access: 'viewer',
      params: IdParams,
      content: { 'application/yaml': z.string() },
      write: async ({ params, response }) => {
        const { document } = await needEvaluation(pool, params.id);
        response.type('application/yaml').send(stringify(document, { aliasDuplicateObjects: false }));
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/evaluations/:id',
      summary: 'Get an Evaluation',
      access: 'viewer',
      params: IdParams,
      answer: StoredEvaluationSchema,
      handle: ({ params }) => needEvaluation(pool, params.id),
    }),
    jsonRoute({
      method: 'put',
      path: '/api/evaluations/:id',
      summary: 'Replace an Evaluation that has not changed since `version`; Runs keep the version they began with',
      access: 'evaluator',
      params: IdParams,
      query: VersionQuery,
      body: EvaluationInputSchema,
      takesYaml: true,
      answer: StoredEvaluationSchema,
      handle: async ({ params, query, body, identity }) => {
        const updated = await updateEvaluation(pool, {
          id: params.id,
          version: Number(query.version),
          document: await resolveSites(body, { db: pool, siteReader }),
          by: nameIdentity(identity),
        });
        if (updated) return updated;
        const { version, updatedBy } = await needEvaluation(pool, params.id);
        throw new AppError(
          'conflict',
          `Evaluation ${params.id} was changed by ${updatedBy ?? 'another person'}: it has version ${version}, but this change started from ${query.version}. Load it again and repeat the change`,
        );
      },
      audit: (_call, { id, version, document }) => ({
        action: 'evaluation-changed',
        subject: describeEvaluation(id, document.name),
        details: { version },
      }),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/evaluations/estimate',
      summary:
        'Estimate the Rounds and the duration of a Run of an Evaluation in JSON or YAML, which is not stored. The basis is the newest Run of the Evaluation `changes`, or of that name; else the Run `changedFromRun`, else the newest of the same settings',
      access: 'viewer',
      query: EstimateQuery,
      body: EvaluationInputSchema,
      takesYaml: true,
      answer: EstimateAnswerSchema,
      handle: async ({ query, body }) =>
        estimateBeforeRun(pool, {
          evaluationId: query.changes ?? null,
          evaluation: expandDocument(await resolveKnownSites(body, { db: pool, siteReader })),
          changedFromRun: query.changedFromRun ?? null,
        }),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/evaluations/:id/estimate',
      summary: 'Estimate the Rounds and the duration of a Run of an Evaluation, from its newest Run',
      access: 'viewer',
      params: IdParams,
      answer: EstimateAnswerSchema,
      handle: async ({ params }) =>
        estimateBeforeRun(pool, {
          evaluationId: params.id,
          evaluation: expandDocument((await needEvaluation(pool, params.id)).document),
        }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/evaluations/:id/trend',
      summary: `Get the means and reductions of the newest ${mostRunsOfTrend} completed Runs of an Evaluation, the oldest first`,
      access: 'viewer',
      params: IdParams,
      answer: EvaluationTrendSchema,
      handle: async ({ params }) => {
        const { document } = await needEvaluation(pool, params.id);
        const threshold = document.trend?.threshold ?? null;
        return readTrend(pool, { evaluationId: params.id, threshold, limit: mostRunsOfTrend });
      },
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/evaluations/:id',
      summary:
        'Delete an Evaluation; its Runs stay, and it can be restored. With `runs=delete` its Runs are deleted with it, for good',
      access: 'evaluator',
      params: IdParams,
      query: DeleteQuery,
      handle: async ({ params, query }) => {
        const { document } = await needEvaluation(pool, params.id);
        if (query.runs === 'delete') {
          await eraseEvaluation(pool, params.id);
          clearing.wake();
        } else if (!(await deleteEvaluation(pool, params.id))) throw noEvaluation(params.id);
        return document.name;
      },
      audit: ({ params, query }, name) => ({
        action: query.runs === 'delete' ? 'evaluation-erased' : 'evaluation-deleted',
        subject: describeEvaluation(params.id, name),
      }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/evaluations/:id/contents',
      summary: 'Get what would be deleted with an Evaluation and its Runs',
      access: 'viewer',
      params: IdParams,
      answer: RunContentsSchema,
      handle: async ({ params }) => {
        await needEvaluation(pool, params.id);
        return readRunContents(pool, await listRunIds(pool, params.id));
      },
    }),
    jsonRoute({
      method: 'post',
      path: '/api/evaluations/:id/restore',
      summary: 'Restore a deleted Evaluation',
      access: 'evaluator',
      params: IdParams,
      answer: StoredEvaluationSchema,
      handle: async ({ params }) => {
        const restored = await restoreEvaluation(pool, params.id);
        if (!restored) throw noEvaluation(params.id);
        return restored;
      },
      audit: (_call, { id, document }) => ({
        action: 'evaluation-restored',
        subject: describeEvaluation(id, document.name),
      }),
    }),
  ];
}

/** Throws `not-found`. */
export async function needEvaluation(db: Queryable, id: string): Promise<StoredEvaluation> {
  const found = await findEvaluation(db, id);
  if (!found) throw noEvaluation(id);
  return found;
}

function describeEvaluation(id: string, name: string): string {
  return `Evaluation ${id} "${name}"`;
}

function noEvaluation(id: string): AppError {
  return new AppError('not-found', `There is no Evaluation ${id}: it may have been deleted`);
}

/** An Evaluation as lists show it; `urlCount` counts its URL lists' entries after expansion. */
function summariseEvaluation(
  { id, updatedAt, document, tags, note }: StoredEvaluation,
  { lastRun, lastResult }: { lastRun: RunSummary | null; lastResult: RunSummary | null },
): EvaluationSummary {
  return {
    id,
    name: document.name,
    description: document.description,
    scenarios: markTraits(expandDocument(document).scenarios),
    userAgents: document.userAgents.map((userAgent) => userAgent.name),
    urlCount: Object.keys(document.urlLists).reduce((count, list) => count + urlsOf(document, list).length, 0),
    updatedAt,
    lastRun,
    lastResult,
    tags,
    note,
  };
}
