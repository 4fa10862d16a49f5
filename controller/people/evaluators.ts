import type { Role } from '#core/protocol/role.ts';
import type { Person } from '#core/protocol/api/people.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';

export async function hasEvaluator(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ has_evaluator: boolean }>('select exists (select from evaluator) as has_evaluator');
  return rows[0]!.has_evaluator;
}

/** Null when nobody has this name. */
export async function findEvaluator(
  db: Queryable,
  name: string,
): Promise<{ id: string; role: Role; passwordHash: string } | null> {
  const { rows } = await db.query<{ id: string; role: Role; password_hash: string }>(
    'select id, role, password_hash from evaluator where name = $1',
    [name],
  );
  return rows[0] ? { id: rows[0].id, role: rows[0].role, passwordHash: rows[0].password_hash } : null;
}

/** The new id; null when the name is taken. */
export async function createEvaluator(
  db: Queryable,
  evaluator: { name: string; passwordHash: string; role: Role },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'insert into evaluator (name, password_hash, role) values ($1, $2, $3) on conflict do nothing returning id',
    [evaluator.name, evaluator.passwordHash, evaluator.role],
  );
  return rows[0]?.id ?? null;
}

/** Everybody with an account, by name. */
export async function listPeople(db: Queryable): Promise<Person[]> {
  const { rows } = await db.query<RowOf<Person>>(
    `select id, name, role, created_at as "createdAt", (select max(last_used_at) from session where evaluator_id = evaluator.id) as "lastUsedAt"
     from evaluator order by name`,
  );
  return rows.map(fromRow<Person>);
}

/** Null when there is no such person. Within a transaction nobody else changes who is an admin before its end. */
export async function lockPerson(
  db: Queryable,
  id: string,
): Promise<{ name: string; role: Role; isLastAdmin: boolean } | null> {
  const { rows: admins } = await db.query<{ id: string }>(
    `select id from evaluator where role = 'admin' order by id for update`,
  );
  const { rows } = await db.query<{ name: string; role: Role }>(
    'select name, role from evaluator where id = $1 for update',
    [id],
  );
  const found = rows[0];
  return found ? { ...found, isLastAdmin: admins.length === 1 && admins[0]!.id === id } : null;
}

export async function setRole(db: Queryable, person: { id: string; role: Role }): Promise<void> {
  await db.query('update evaluator set role = $2 where id = $1', [person.id, person.role]);
}

/** `former`: the hash of the password that was given for it; null where none was. False where the account has another one by now. */
export async function setPassword(
  db: Queryable,
  { id, passwordHash, former }: { id: string; passwordHash: string; former: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update evaluator set password_hash = $2 where id = $1 and ($3::text is null or password_hash = $3)',
    [id, passwordHash, former],
  );
  return rowCount === 1;
}

/** Removes the account and its sessions, and revokes its API tokens. Its Agent tokens stay: the Hosts that joined by them continue. */
export async function removePerson(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update token set revoked_at = now() where evaluator_id = $1 and scope = 'api' and revoked_at is null`,
    [id],
  );
  await db.query('delete from evaluator where id = $1', [id]);
}
