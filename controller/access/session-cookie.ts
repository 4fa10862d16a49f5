import type { Request, Response } from 'express';
import { parseCookie, stringifySetCookie } from 'cookie';
import { createSession } from '../db/sessions.ts';
import type { Queryable } from '../db/queryable.ts';
import { hashSecret, makeSecret } from './secret.ts';

const cookieName = 'http_ae_session';
const validHours = 14 * 24;

/** Makes a session and hands its secret to the browser; returns the token that its changing requests must carry. */
export async function openSession(
  response: Response,
  { db, evaluatorId, isSecure }: { db: Queryable; evaluatorId: string | null; isSecure: boolean },
): Promise<string> {
  const secret = makeSecret();
  const csrfToken = makeSecret();
  await createSession(db, { hash: hashSecret(secret), evaluatorId, csrfToken, validHours });
  setCookie(response, { value: secret, maxAge: validHours * 3600, isSecure });
  return csrfToken;
}

export function forgetSession(response: Response, isSecure: boolean): void {
  setCookie(response, { value: '', maxAge: 0, isSecure });
}

/** The hash by which the session of a request is found; null when the request carries no session cookie. */
export function readSessionHash(request: Request): Buffer | null {
  const secret = parseCookie(request.headers.cookie ?? '')[cookieName];
  return secret ? hashSecret(secret) : null;
}

function setCookie(response: Response, { value, maxAge, isSecure }: { value: string; maxAge: number; isSecure: boolean }): void {
  response.append(
    'set-cookie',
    stringifySetCookie({ name: cookieName, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure }),
  );
}
