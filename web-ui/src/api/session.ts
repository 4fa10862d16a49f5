import { SessionSchema, type Session } from '#core/protocol/api/access.ts';
import { carryCsrfTokenOf, json, nothing, request, ProblemError } from './request.ts';

/** Who is signed in; null when nobody is. */
export async function fetchSession(signal?: AbortSignal): Promise<Session | null> {
  try {
    return remember(await request({ path: '/api/session', answer: json(SessionSchema), ...(signal && { signal }) }));
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'not-signed-in') return null;
    throw error;
  }
}

export async function signIn(credentials: { name: string; password: string }): Promise<Session> {
  return remember(
    await request({ method: 'POST', path: '/api/sign-in', body: { json: credentials }, answer: json(SessionSchema) }),
  );
}

/** Exchanges the ticket of a one-time link for a session. */
export async function signInByTicket(ticket: string): Promise<Session> {
  return remember(
    await request({
      method: 'POST',
      path: '/api/sign-in/ticket',
      body: { json: { ticket } },
      answer: json(SessionSchema),
    }),
  );
}

/** Exchanges the ticket of a one-time link and a new password for a session. */
export async function renewPassword(renewal: { ticket: string; newPassword: string }): Promise<Session> {
  return remember(
    await request({
      method: 'POST',
      path: '/api/sign-in/new-password',
      body: { json: renewal },
      answer: json(SessionSchema),
    }),
  );
}

export async function signOut(): Promise<void> {
  await request({ method: 'POST', path: '/api/sign-out', answer: nothing });
  carryCsrfTokenOf(null);
}

/** Gives a session that began with a one-time link a name and a password. */
export async function createAccount(account: { name: string; password: string }): Promise<Session> {
  return remember(
    await request({ method: 'POST', path: '/api/account', body: { json: account }, answer: json(SessionSchema) }),
  );
}

function remember(session: Session): Session {
  carryCsrfTokenOf(session);
  return session;
}
