import pg from 'pg';
import { nameServer } from './name-server.ts';

/** `ready`: our password and our data; `silent`: nothing answers, or not yet; `foreign`: another password or other data. */
export type ServerAnswer = 'ready' | 'silent' | 'foreign';

const invalidPassword = '28P01';

export async function askServer(databaseUrl: string, dataFolder: string): Promise<ServerAnswer> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2000, query_timeout: 2000 });
  client.on('error', () => undefined); // a connection that breaks fails the query below
  try {
    await client.connect();
    const { rows } = await client.query<{ cluster_name: string }>('show cluster_name');
    return rows[0]?.cluster_name === (await nameServer(dataFolder)) ? 'ready' : 'foreign';
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === invalidPassword ? 'foreign' : 'silent';
  } finally {
    await client.end().catch(() => undefined); // it was never connected, or is broken
  }
}
