import type { ClientBase } from 'pg';

/** SQLSTATE classes of errors that the data themselves cause. PostgreSQL 18, Appendix A. */
const dataStates = /^(?:22|23|54)/;

/** What runs one statement: the pool, or the client of a transaction. */
export type Queryable = Pick<ClientBase, 'query'>;

// data exception, integrity constraint violation, program limit exceeded

/** Whether an error came from the data of a statement, so that the same data will never be stored. */
export function isDataError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.length === 5 &&
    dataStates.test(error.code)
  );
}

/** A row with the names of what is sent. Its times, which are named `…At` or `…Before`, are Dates. */
export type RowOf<Sent> = {
  [Key in keyof Sent]: Key extends `${string}At` | `${string}Before` ? Date | Extract<Sent[Key], null> : Sent[Key];
};

/** What is sent of a row: its times are texts. */
export function fromRow<Sent extends object>(row: RowOf<Sent>): Sent {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries) as Sent;
}
