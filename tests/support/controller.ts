import pino from 'pino';
import { issueTicket } from '#controller/people/sign-in-tickets.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { startController, type Controller, type ControllerOptions } from '#controller/start-controller.ts';
import type { Role } from '#core/protocol/role.ts';
import { SessionSchema } from '#core/protocol/api/access.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** Sends a request to the Controller with the credentials of a client. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

export interface TestController extends AsyncDisposable {
  controller: Controller;
  database: TestDatabase;
  artefactsFolder: string;
  /** Without any credentials. */
  anonymous: Send;
  /** With an API token. */
  program: Send;
  /** As a browser that signed in by a one-time link, by default as an admin; it sends the session's cookie and token. */
  signIn: (role?: Role) => Promise<{ browser: Send; cookie: string; csrfToken: string }>;
}

interface TestControllerOptions extends Partial<
  Pick<
    ControllerOptions,
    | 'webUiFolder'
    | 'artefactsFolder'
    | 'databaseFolder'
    | 'bucket'
    | 'maximumTraceBytes'
    | 'ownerToken'
    | 'publicUrl'
    | 'trustedProxies'
    | 'receiving'
    | 'webhookUrl'
    | 'testbed'
    | 'hostJoining'
    | 'time'
    | 'log'
  >
> {
  /** One that several Controllers share; it stays when this Controller is disposed of. */
  sharedDatabase?: TestDatabase;
  /** Where the Controller reaches the database, where that is not straight. */
  databaseUrl?: string;
  /** Where it does so for the connection that lasts, where that is not the same. */
  listenDatabaseUrl?: string;
}

/** A real Controller on a free port, with a database of its own unless one is named. */
export async function startTestController({
  sharedDatabase,
  ...options
}: TestControllerOptions = {}): Promise<TestController> {
  const database = sharedDatabase ?? (await createTestDatabase());
  const artefacts = await makeTemporaryFolder();
  const log = pino({ level: 'silent' });
  const signal = AbortSignal.timeout(30_000);
  const controller = await startController({
    databaseUrl: database.databaseUrl,
    host: '127.0.0.1',
    port: 0,
    webUiFolder: null,
    artefactsFolder: artefacts.path,
    log,
    signal,
    ...options,
  });
  const { token } = await issueToken(controller.pool, { name: 'test', scope: 'api' });
  const anonymous: Send = (path, init) => fetch(controller.localUrl + path, init);

  return {
    controller,
    database,
    artefactsFolder: options.artefactsFolder ?? artefacts.path,
    anonymous,
    program: sendWith(anonymous, { authorization: `Bearer ${token}` }),
    signIn: async (role) => {
      const response = await anonymous(
        '/api/sign-in/ticket',
        postJson({ ticket: await issueTicket(controller.pool, role) }),
      );
      const { csrfToken } = SessionSchema.parse(await response.json());
      const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
      return { browser: sendWith(anonymous, { cookie, 'x-csrf-token': csrfToken }), cookie, csrfToken };
    },
    [Symbol.asyncDispose]: async () => {
      await controller.close();
      if (!sharedDatabase) await database[Symbol.asyncDispose]();
      await artefacts[Symbol.asyncDispose]();
    },
  };
}

export function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export function postYaml(body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/yaml' }, body };
}

/** Own headers of a request go before those of the credentials. */
export function sendWith(send: Send, credentials: Record<string, string>): Send {
  return (path, init = {}) =>
    send(path, { ...init, headers: { ...credentials, ...Object.fromEntries(new Headers(init.headers)) } });
}
