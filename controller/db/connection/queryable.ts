import type { ClientBase } from 'pg';

/** What runs one statement: the pool, or the client of a transaction. */
export type Queryable = Pick<ClientBase, 'query'>;
