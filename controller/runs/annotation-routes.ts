import { z } from 'zod';
import {
  AnnotationSchema,
  RunAnnotationSchema,
  UsedTagSchema,
  type Annotation,
  type RunAnnotation,
  type UsedTag,
} from '#core/protocol/api/annotation.ts';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { jsonRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { needEvaluation } from '../evaluations/evaluation-routes.ts';
import { needRun, noteRun } from './run-routes.ts';
import type { Queryable } from '../database/queryable.ts';

const mostListedTags = 500;

/** Tags and notes, by which people find Runs and Evaluations again. */
export function annotationRoutes({ pool }: Services): Route[] {
  return [
    jsonRoute({
      method: 'put',
      path: '/api/runs/:id/annotation',
      summary: 'Replace the tags and the note of a Run, and its labels where they are given',
      access: 'evaluator',
      params: IdParams,
      body: RunAnnotationSchema,
      answer: RunSummarySchema,
      handle: async ({ params, body }) => {
        await annotateRun(pool, params.id, body);
        return needRun(pool, params.id);
      },
      audit: ({ body: { tags, note, labels } }, run) =>
        noteRun('run-annotated', run, {
          tags: tags.join(', '),
          note,
          ...(labels && { labels: formatLabels(labels) }),
        }),
    }),
    jsonRoute({
      method: 'put',
      path: '/api/evaluations/:id/annotation',
      summary: 'Replace the tags and the note of an Evaluation; its version stays',
      access: 'evaluator',
      params: IdParams,
      body: AnnotationSchema,
      answer: StoredEvaluationSchema,
      handle: async ({ params, body }) => {
        await annotateEvaluation(pool, params.id, body);
        return needEvaluation(pool, params.id);
      },
      audit: ({ body }, { id, document }) => ({
        action: 'evaluation-annotated',
        subject: `Evaluation ${id} "${document.name}"`,
        details: { tags: body.tags.join(', '), note: body.note },
      }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/tags',
      summary: `List the ${mostListedTags} most frequent tags of Runs and Evaluations`,
      access: 'viewer',
      answer: z.array(UsedTagSchema),
      handle: () => listTags(pool, mostListedTags),
    }),
  ];
}

export async function annotateRun(db: Queryable, id: string, { tags, note, labels }: RunAnnotation): Promise<void> {
  await db.query('update run set tags = $2, note = $3, labels = coalesce($4, labels) where id = $1', [
    id,
    tags,
    note,
    labels ? JSON.stringify(labels) : null,
  ]);
}

/** Its version stays: what is measured does not change. */
async function annotateEvaluation(db: Queryable, id: string, { tags, note }: Annotation): Promise<void> {
  await db.query('update evaluation set tags = $2, note = $3 where id = $1 and deleted_at is null', [id, tags, note]);
}

/** The tags in use, at most `limit`, the most frequent first. */
async function listTags(db: Queryable, limit: number): Promise<UsedTag[]> {
  const { rows } = await db.query<UsedTag>(
    `select tag, (count(*) filter (where is_run))::int as runs, (count(*) filter (where not is_run))::int as evaluations
     from (
       select unnest(tags) as tag, true as is_run from run where not is_try and deleted_at is null
       union all select unnest(tags), false from evaluation where deleted_at is null) used
     group by tag order by count(*) desc, tag limit $1`,
    [limit],
  );
  return rows;
}
