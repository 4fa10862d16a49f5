import type { AuditAction, AuditEntry, AuditPage } from '#core/protocol/api/audit-entry.ts';
import type { Queryable } from '../database/queryable.ts';

interface EntryRow {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  details: AuditEntry['details'];
  sha256: string | null;
  script: string | null;
}

export async function storeAuditEntry(
  db: Queryable,
  entry: { actor: string; action: AuditAction; subject: string; details?: AuditEntry['details'] },
): Promise<void> {
  await db.query('insert into audit_entry (actor, action, subject, details) values ($1, $2, $3, $4)', [
    entry.actor,
    entry.action,
    entry.subject,
    JSON.stringify(entry.details ?? {}),
  ]);
}

/** The newest entries first, before an id where one is given. `text`: what actor, subject or script must contain, in any case of letters. */
export async function listAuditEntries(
  db: Queryable,
  filter: { before: string | null; action: AuditAction | null; text: string | null; limit: number },
): Promise<AuditPage> {
  const { before, action, text, limit } = filter;
  const { rows } = await db.query<EntryRow>(
    `select id, at, actor, action, subject, details, encode(script_sha256, 'hex') as sha256, script
     from audit_entry left join audit_script on sha256 = script_sha256
     where ($1::bigint is null or id < $1) and ($2::text is null or action = $2)
       and ($3::text is null or strpos(lower(concat_ws(' ', actor, subject, script)), lower($3)) > 0)
     order by id desc limit $4`,
    [before, action, text, limit + 1],
  );
  const entries = rows.slice(0, limit).map(toEntry);
  return { entries, next: rows.length > limit ? entries.at(-1)!.id : null };
}

function toEntry({ sha256, script, at, ...row }: EntryRow): AuditEntry {
  return { ...row, at: at.toISOString(), script: sha256 === null || script === null ? null : { sha256, text: script } };
}
