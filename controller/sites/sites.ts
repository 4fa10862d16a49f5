import { AppError } from '#core/app-error.ts';
import { ListedSiteSchema, type SiteDetail, type ListedSite } from '#core/protocol/api/stored-site.ts';
import type { Queryable } from '../database/queryable.ts';
import type { PreparedSite } from './site-index.ts';

const columns = 'id, name, sha256, bytes::float8 as bytes, summary, uploaded_by, uploaded_at';

interface SiteRow {
  id: string;
  name: string;
  sha256: string;
  bytes: number;
  summary: object;
  uploaded_by: string;
  uploaded_at: Date;
}

export async function listSites(db: Queryable): Promise<ListedSite[]> {
  const { rows } = await db.query<SiteRow>(`select ${columns} from site order by lower(name), name`);
  return rows.map(toListed);
}

/** As URL lists refer to it. Null when there is no such Site. */
export async function findNamedSite(db: Queryable, name: string): Promise<ListedSite | null> {
  const { rows } = await db.query<SiteRow>(`select ${columns} from site where name = $1`, [name]);
  return rows[0] ? toListed(rows[0]) : null;
}

/** `idOrName`: people write names, the web UI has ids. No name is one. Throws `not-found`. */
export async function needSite(db: Queryable, idOrName: string): Promise<ListedSite> {
  const { rows } = await db.query<SiteRow>(`select ${columns} from site where id::text = $1 or name = $1`, [idOrName]);
  if (!rows[0]) throw new AppError('not-found', `There is no Site "${idOrName}"`);
  return toListed(rows[0]);
}

/** All but its bodies, for a `SiteReader`. Throws `not-found`. */
export async function readIndexOf(db: Queryable, id: string): Promise<Uint8Array> {
  const { rows } = await db.query<{ document: Buffer }>('select document from site where id = $1', [id]);
  if (!rows[0]) throw new AppError('not-found', `There is no Site "${id}"`);
  return rows[0].document;
}

/** Throws `conflict` where another Site has the name or the file. */
export async function requireNewSite(
  db: Queryable,
  { name, sha256 }: { name: string | null; sha256: string | null },
): Promise<void> {
  const { rows } = await db.query<{ name: string }>('select name from site where name = $1 or sha256 = $2 limit 1', [
    name,
    sha256,
  ]);
  if (!rows[0]) return;
  if (rows[0].name === name)
    throw new AppError('conflict', `Another Site is named "${name}": give this one another name, or delete that one`);
  throw new AppError('conflict', `This recording is here already, as the Site "${rows[0].name}"`);
}

interface NewSite extends Pick<PreparedSite, 'summary' | 'index'> {
  name: string;
  sha256: string;
  bytes: number;
  uploadedBy: string;
}

/** Throws as `requireNewSite`, also for a Site that another stores at the same time. */
export async function storeSite(
  db: Queryable,
  { name, sha256, bytes, summary, index, uploadedBy }: NewSite,
): Promise<ListedSite> {
  const { rows } = await db.query<SiteRow>(
    `insert into site (name, sha256, bytes, summary, document, uploaded_by) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing returning ${columns}`,
    [name, sha256, bytes, summary, index, uploadedBy],
  );
  if (rows[0]) return toListed(rows[0]);
  await requireNewSite(db, { name, sha256 });
  throw new AppError('conflict', `Another Site was named "${name}" until just now: upload it again`);
}

/** In the transaction of what stores or removes a Site's file, so that no other does with the same file at the same time, at any Controller. */
export async function lockSiteFile(db: Queryable, sha256: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('site'), hashtext($1))`, [sha256]);
}

/** Whether a Site has this file. */
export async function isSiteFile(db: Queryable, sha256: string): Promise<boolean> {
  const { rowCount } = await db.query('select from site where sha256 = $1', [sha256]);
  return rowCount! > 0;
}

/** Throws `conflict` while a Run that has not ended loads its pages. */
export async function deleteSite(db: Queryable, { id, name }: Pick<ListedSite, 'id' | 'name'>): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `select id from run where state in ('pending', 'running', 'stopping') and deleted_at is null and ${usesSite} order by id limit 1`,
    [name],
  );
  if (rows[0])
    throw new AppError(
      'conflict',
      `Run ${rows[0].id} loads the Site "${name}": stop the Run, or wait until it has ended`,
    );
  await db.query('delete from site where id = $1', [id]);
}

/** The Evaluations whose URL lists have pages of it. */
export async function listEvaluationsOf(db: Queryable, name: string): Promise<SiteDetail['evaluations']> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, document ->> 'name' as name from evaluation where deleted_at is null and ${usesSite} order by 2, 1`,
    [name],
  );
  return rows;
}

/** $1: the name of a Site. */
const usesSite = `jsonb_path_exists(document, '$.urlLists.*.site ? (@ == $name)', jsonb_build_object('name', $1::text))`;

function toListed({ id, name, sha256, bytes, summary, uploaded_by: uploadedBy, uploaded_at: at }: SiteRow): ListedSite {
  return ListedSiteSchema.parse({ id, name, sha256, bytes, ...summary, uploadedBy, uploadedAt: at.toISOString() });
}
