import type { Request, Response } from 'express';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Role } from '#core/access/role.ts';
import { createSession, sessionHours } from '../db/sessions.ts';
import type { Queryable } from '../db/queryable.ts';
import { hashSecret, makeSecret } from './secret.ts';

const cookieName = 'http_ae_session';
const browserNameLimit = 300;

/** Makes a session and hands its secret to the browser; returns the token that its changing requests must carry. */
export async function openSession(
  { request, response }: { request: Request; response: Response },
  { db, who, isSecure }: { db: Queryable; who: { evaluatorId: string } | { role: Role }; isSecure: boolean },
): Promise<string> {
  const secret = makeSecret();
  const csrfToken = makeSecret();
  const browser = request.get('user-agent')?.slice(0, browserNameLimit) ?? null;
  await createSession(db, { hash: hashSecret(secret), who, csrfToken, browser });
  setCookie(response, { value: secret, maxAge: sessionHours * 3600, isSecure });
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
