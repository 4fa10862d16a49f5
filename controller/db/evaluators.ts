import type { Queryable } from './queryable.ts';

export async function hasEvaluator(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ has_evaluator: boolean }>('select exists (select from evaluator) as has_evaluator');
  return rows[0]!.has_evaluator;
}

/** Null when nobody has this name. */
export async function findEvaluator(db: Queryable, name: string): Promise<{ id: string; passwordHash: string } | null> {
  const { rows } = await db.query<{ id: string; password_hash: string }>('select id, password_hash from evaluator where name = $1', [name]);
  return rows[0] ? { id: rows[0].id, passwordHash: rows[0].password_hash } : null;
}

/** The new id; null when the name is taken. */
export async function createEvaluator(db: Queryable, evaluator: { name: string; passwordHash: string }): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'insert into evaluator (name, password_hash) values ($1, $2) on conflict do nothing returning id',
    [evaluator.name, evaluator.passwordHash],
  );
  return rows[0]?.id ?? null;
}
