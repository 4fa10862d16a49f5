import type { Pool, PoolClient } from 'pg';
import { withClient } from './migrate.ts';

/** Commits what `work` does with its client, or nothing of it when it throws. */
export function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query('begin');
    try {
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // the connection is broken, and with it the transaction is gone
      throw error;
    }
  });
}
