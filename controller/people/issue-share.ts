import type { Request } from 'express';
import { AppError } from '#core/app-error.ts';
import type { NewShare } from '#core/protocol/api/share.ts';
import type { Queryable } from '../database/queryable.ts';
import { createShare, useShare, type FoundShare } from './shares.ts';
import { readBearer } from './identify.ts';
import { hashSecret, makeSecret } from './secret.ts';

const prefix = 'hae_share_';

/** Shares the Comparison of a Run; only this answer contains the secret. */
export async function issueShare(
  db: Queryable,
  share: { runId: string; madeBy: string; days: number },
): Promise<NewShare> {
  const secret = prefix + makeSecret();
  return { ...(await createShare(db, { ...share, hash: hashSecret(secret) })), secret };
}

/** Whether a request comes from a page that a shared link opened. */
export function hasShareSecret(request: Request): boolean {
  return readBearer(request)?.startsWith(prefix) === true;
}

/** What the secret of a request opens. Throws `token-refused`. */
export async function needShare(db: Queryable, request: Request): Promise<FoundShare> {
  const secret = readBearer(request);
  const found = secret?.startsWith(prefix) ? await useShare(db, hashSecret(secret)) : null;
  if (found) return found;
  throw new AppError(
    'token-refused',
    'This link was revoked, has expired or is incomplete: ask the person who gave it to you for a new one',
  );
}
