import { expect, test } from 'vitest';
import { startTestController } from '../../support/controller.ts';
import { createTestDatabase } from '../../support/database.ts';
import { judgeTime } from '../../support/judge-time.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';

test('a Controller whose database says nothing any more is shut down within 45 s', { timeout: 400_000 }, (context) =>
  judgeTime(context, {
    measure: async () => {
      await using database = await createTestDatabase();
      await using relay = await startTcpRelay(Number(new URL(database.databaseUrl).port));
      const databaseUrl = Object.assign(new URL(database.databaseUrl), { port: String(relay.port) }).href;
      const { controller } = await startTestController({ sharedDatabase: database, databaseUrl });
      relay.halt();
      const startedMs = performance.now();
      await controller.close();
      const tookMs = performance.now() - startedMs;
      relay.resume();
      return tookMs;
    },
    holds: (tookMs) => expect(tookMs).toBeLessThan(45_000),
  }),
);
