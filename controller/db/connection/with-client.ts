import type { Pool, PoolClient } from 'pg';

/** Lends one connection to `work`. One that broke meanwhile is not used again; `work` learns it from its next statement. */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  const noteFailure = (error: Error) => {
    failure = error; // without a listener, the event of a broken connection would end the process
  };
  client.on('error', noteFailure);
  try {
    return await work(client);
  } finally {
    client.off('error', noteFailure);
    client.release(failure);
  }
}
