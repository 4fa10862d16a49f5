import type { TestProject } from 'vitest/node';
import { openTestServer } from './open-test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
  }
}

/** Provides the PostgreSQL that `./http-ae test` started for all kinds, or starts one for this kind. */
export default async function startTestDatabase(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const shared = process.env.HTTP_AE_TEST_SERVER_URL;
  if (shared) {
    project.provide('serverUrl', shared);
    return undefined;
  }
  const server = await openTestServer();
  project.provide('serverUrl', server.url);
  return async () => await server[Symbol.asyncDispose]();
}
