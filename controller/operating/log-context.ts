import { AsyncLocalStorage } from 'node:async_hooks';

/** What the lines of a log in JSON are about. */
export interface LogContext {
  run?: string;
  /** Its place in the plan of the Run. */
  round?: number;
  scenario?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Adds fields to each line that `work` logs in JSON, and to those of all that it calls. */
export function inLogContext<T>(fields: LogContext, work: () => T): T {
  return storage.run({ ...storage.getStore(), ...fields }, work);
}

export function readLogContext(): LogContext {
  return storage.getStore() ?? {};
}
