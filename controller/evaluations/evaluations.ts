import { EvaluationDocumentSchema, type EvaluationDocument } from '#core/evaluation/evaluation-document.ts';
import type { StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';

type EvaluationRow = RowOf<StoredEvaluation>;

const columns =
  'id, version, created_at as "createdAt", updated_at as "updatedAt", updated_by as "updatedBy", changed_from_run as "changedFromRun", document, tags, note';

/** All Evaluations that were not deleted, the last changed first. */
export async function listEvaluations(db: Queryable): Promise<StoredEvaluation[]> {
  const { rows } = await db.query<EvaluationRow>(
    `select ${columns} from evaluation where deleted_at is null order by updated_at desc, id desc`,
  );
  return rows.map(toStoredEvaluation);
}

/** Null when there is none of this id, or it was deleted. */
export async function findEvaluation(db: Queryable, id: string): Promise<StoredEvaluation | null> {
  const { rows } = await db.query<EvaluationRow>(
    `select ${columns} from evaluation where id = $1 and deleted_at is null`,
    [id],
  );
  return rows[0] ? toStoredEvaluation(rows[0]) : null;
}

/** Those of a name that were not deleted, the last changed first: at most `limit`, and how many there are. */
export async function listNamesakes(
  db: Queryable,
  name: string,
  limit: number,
): Promise<{ newest: StoredEvaluation[]; count: number }> {
  const { rows } = await db.query<EvaluationRow & { count: string }>(
    `select ${columns}, count(*) over () as count from evaluation
     where deleted_at is null and document ->> 'name' = $1 order by updated_at desc, id desc limit $2`,
    [name, limit],
  );
  const found = rows.map(({ count, ...row }) => ({ count: Number(count), evaluation: toStoredEvaluation(row) }));
  return { newest: found.map(({ evaluation }) => evaluation), count: found[0]?.count ?? 0 };
}

/** `by`: who stores it. `changedFromRun`: the Run whose Evaluation it is a change of. */
export async function createEvaluation(
  db: Queryable,
  document: EvaluationDocument,
  { by = null, changedFromRun = null }: { by?: string | null; changedFromRun?: string | null } = {},
): Promise<StoredEvaluation> {
  const { rows } = await db.query<EvaluationRow>(
    `insert into evaluation (document, updated_by, changed_from_run) values ($1, $2, $3) returning ${columns}`,
    [JSON.stringify(document), by, changedFromRun],
  );
  return toStoredEvaluation(rows[0]!);
}

/** Null when the Evaluation is not there, or has another version by now. */
export async function updateEvaluation(
  db: Queryable,
  change: { id: string; version: number; document: EvaluationDocument; by: string },
): Promise<StoredEvaluation | null> {
  const { rows } = await db.query<EvaluationRow>(
    `update evaluation set document = $3, version = version + 1, updated_at = now(), updated_by = $4
     where id = $1 and version = $2 and deleted_at is null
     returning ${columns}`,
    [change.id, change.version, JSON.stringify(change.document), change.by],
  );
  return rows[0] ? toStoredEvaluation(rows[0]) : null;
}

/** Hides an Evaluation until it is restored; its Runs stay. False when it was not there. */
export async function deleteEvaluation(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('update evaluation set deleted_at = now() where id = $1 and deleted_at is null', [
    id,
  ]);
  return rowCount === 1;
}

/** Takes a deletion back. Null when there never was one of this id, or it was erased; one that was not deleted is given as it is. */
export async function restoreEvaluation(db: Queryable, id: string): Promise<StoredEvaluation | null> {
  const { rows } = await db.query<EvaluationRow>(
    `update evaluation set deleted_at = null where id = $1 and erased_at is null returning ${columns}`,
    [id],
  );
  return rows[0] ? toStoredEvaluation(rows[0]) : null;
}

function toStoredEvaluation(row: EvaluationRow): StoredEvaluation {
  return { ...fromRow<StoredEvaluation>(row), document: EvaluationDocumentSchema.parse(row.document) };
}
