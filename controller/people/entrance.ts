import type { Queryable } from '../database/queryable.ts';

/** By what somebody is let in. */
export interface Entrance {
  pool: Queryable;
  /** Of the cookie that carries a session. Two installations on one machine share their cookies, which do not know ports. */
  cookieName: string;
  /** Whether browsers reach the Controller by https, so that its cookie must not go over http. */
  isSecure: boolean;
  /** What the OS user who runs the Controller proves that by; null where there is no such file. */
  ownerToken: string | null;
}

const ownerPrefix = 'hae_owner_';

/** A token that ends with the Controller. */
export function makeOwnerToken(secret: string): string {
  return ownerPrefix + secret;
}

export function cookieNameOf(instanceId: string): string {
  return `http_ae_session_${instanceId}`;
}
