import type { Queryable } from '../db/queryable.ts';
import { findTokenName } from '../db/tokens.ts';
import type { Identity } from './identify.ts';

/** Who did something, as a record of it tells people. */
export async function nameIdentity(db: Queryable, identity: Identity | null): Promise<string> {
  switch (identity?.kind) {
    case 'session':
      return identity.session.evaluatorName ?? 'an evaluator without an account (one-time link)';
    case 'token':
      return `API token "${(await findTokenName(db, identity.tokenId)) ?? identity.tokenId}"`;
    case undefined:
      throw new Error('An open route has nobody to name');
  }
}
