import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import {
  EvaluationDocumentSchema,
  EvaluationInputSchema,
  type EvaluationDocument,
} from '#core/evaluation/evaluation-document.ts';
import {
  KeptEvaluationSchema,
  type StoredEvaluation,
  type KeptEvaluation,
} from '#core/protocol/api/stored-evaluation.ts';
import type { Queryable } from '../database/queryable.ts';
import { inTransaction } from '../database/transaction.ts';
import { jsonRoute, type Route, IdSchema } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { nameIdentity } from '../people/identify.ts';
import { resolveSites } from '../sites/resolve-sites.ts';
import { createEvaluation, findEvaluation, listNamesakes, updateEvaluation } from './evaluations.ts';

/** So many of one name are held against a document: copies of years may have it. */
const mostNamesakes = 20;
const namedIds = 5;

const KeepQuery = z.object({
  /** The stored Evaluation that the document is a version of. */
  evaluation: IdSchema.optional(),
});

/** What `evaluate FILE` uses: the same file is the same Evaluation, so that its Runs are in one trend. */
export function keepEvaluationRoutes({ pool, siteReader }: Services): Route[] {
  return [
    jsonRoute({
      method: 'post',
      path: '/api/evaluations/versions',
      summary:
        'Store an Evaluation as a version of the stored one of its name, or of `evaluation`; where that is the same, nothing changes. A new name is a new Evaluation',
      access: 'evaluator',
      query: KeepQuery,
      body: EvaluationInputSchema,
      takesYaml: true,
      answer: KeptEvaluationSchema,
      handle: async ({ query, body, identity }) =>
        keepEvaluation(pool, {
          document: await resolveSites(body, { db: pool, siteReader }),
          id: query.evaluation ?? null,
          by: nameIdentity(identity),
        }),
      audit: (_call, { kind, evaluation: { id, version, document } }) =>
        kind === 'same'
          ? null
          : {
              action: kind === 'new' ? 'evaluation-created' : 'evaluation-changed',
              subject: `Evaluation ${id} "${document.name}"`,
              ...(kind === 'changed' && { details: { version } }),
            },
    }),
  ];
}

/** Throws `not-found`, and `conflict` where it is not clear which Evaluation is meant, or where the document would replace that of somebody else. */
async function keepEvaluation(
  pool: Pool,
  { document, id, by }: { document: EvaluationDocument; id: string | null; by: string },
): Promise<KeptEvaluation> {
  const written = asStored(document);
  return inTransaction(pool, async (client) => {
    // Two jobs of one file at the same time are to find one Evaluation.
    await client.query(`select pg_advisory_xact_lock(hashtext('evaluation'), hashtext($1))`, [document.name]);
    const { newest, count } = await listNamesakes(client, document.name, mostNamesakes);
    const isSame = (stored: StoredEvaluation) => isDeepStrictEqual(asStored(stored.document), written);
    const found = id === null ? newest.find(isSame) : await need(client, id);
    if (found && isSame(found)) return { kind: 'same', evaluation: found, namesakes: count };
    const target = found ?? chooseNamesake(newest, { name: document.name, count, by });
    if (target === null)
      return { kind: 'new', evaluation: await createEvaluation(client, document, { by }), namesakes: 0 };
    const evaluation = await updateEvaluation(client, { id: target.id, version: target.version, document, by });
    if (!evaluation)
      throw new AppError('conflict', `Evaluation ${target.id} was changed at the same time: try it again`);
    return { kind: 'changed', evaluation, namesakes: count };
  });
}

async function need(db: Queryable, id: string): Promise<StoredEvaluation> {
  const found = await findEvaluation(db, id);
  if (!found) throw new AppError('not-found', `There is no Evaluation ${id}: it may have been deleted`);
  return found;
}

/** A document as PostgreSQL gives it back: two that are stored alike are the same, however they were written. */
function asStored(document: EvaluationDocument): EvaluationDocument {
  return EvaluationDocumentSchema.parse(JSON.parse(JSON.stringify(document)));
}

/** Of Evaluations that are other documents, the one to change; null where none has the name. */
function chooseNamesake(
  newest: readonly StoredEvaluation[],
  { name, count, by }: { name: string; count: number; by: string },
): StoredEvaluation | null {
  const [only] = newest;
  if (!only) return null;
  if (count > 1) {
    const ids = newest.slice(0, namedIds).map(({ id }) => id);
    throw new AppError(
      'conflict',
      `${count} Evaluations are named "${name}" (${ids.join(', ')}${count > namedIds ? ', …' : ''}), and ${count > mostNamesakes ? `none of the newest ${mostNamesakes}` : 'none'} is this document. To change one of them, use --evaluation ${only.id}. To store another, use --new`,
    );
  }
  if (only.updatedBy !== null && only.updatedBy !== by)
    throw new AppError(
      'conflict',
      `Evaluation ${only.id} "${name}" is another document, last changed by ${only.updatedBy}. To replace it, use --evaluation ${only.id}. To store another, use --new`,
    );
  return only;
}
