import type { Request, Response } from 'express';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Role } from '#core/protocol/role.ts';
import { createSession, endSessionByHash, sessionHours } from './sessions.ts';
import type { Entrance } from './entrance.ts';
import { hashSecret, makeSecret } from './secret.ts';

const browserNameLimit = 300;

/**
 * Makes a session and hands its secret to the browser; returns the token that its changing requests must carry. The session that the browser had
 * before ends: nobody could find it any more, nor end it there.
 */
export async function openSession(
  { request, response }: { request: Request; response: Response },
  { entrance, who }: { entrance: Entrance; who: { evaluatorId: string } | { role: Role } },
): Promise<string> {
  const secret = makeSecret();
  const csrfToken = makeSecret();
  const browser = request.get('user-agent')?.slice(0, browserNameLimit) ?? null;
  const earlier = readSessionHash(request, entrance);
  if (earlier !== null) await endSessionByHash(entrance.pool, earlier);
  await createSession(entrance.pool, { hash: hashSecret(secret), who, csrfToken, browser });
  setCookie(response, { value: secret, maxAge: sessionHours * 3600, entrance });
  return csrfToken;
}

export function forgetSession(response: Response, entrance: Entrance): void {
  setCookie(response, { value: '', maxAge: 0, entrance });
}

/** The hash by which the session of a request is found; null when the request carries no session cookie. */
export function readSessionHash(request: Request, { cookieName }: Pick<Entrance, 'cookieName'>): Buffer | null {
  const secret = parseCookie(request.headers.cookie ?? '')[cookieName];
  return secret ? hashSecret(secret) : null;
}

function setCookie(
  response: Response,
  { value, maxAge, entrance }: { value: string; maxAge: number; entrance: Entrance },
): void {
  const { cookieName, isSecure } = entrance;
  response.append(
    'set-cookie',
    stringifySetCookie({
      name: cookieName,
      value,
      maxAge,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure: isSecure,
    }),
  );
}
