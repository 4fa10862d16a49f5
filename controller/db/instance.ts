import type { Queryable } from './connection/queryable.ts';

/** The id of the installation that the database belongs to: the same for all Controllers that share it, for good. */
export async function readInstanceId(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ id: string }>('select id from instance');
  return rows[0]!.id;
}
