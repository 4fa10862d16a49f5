import type { ConnectionCounts } from './counter-help.ts';

/** Sums since the end was started, of one user or of one connection. */
export interface CounterRow {
  kind: 'user' | 'connection';
  labels: Readonly<Record<string, string>>;
  sums: Readonly<Record<string, number>>;
}

/** The counters of one end. */
export interface CounterSource {
  readonly end: 'remote' | 'ground';
  readRows(): CounterRow[];
  /** Asks the kernel for what it counts; does not reject. */
  refresh(): Promise<void>;
}

export function rowsOfUsers(users: ReadonlyMap<string, Readonly<Record<string, number>>>): CounterRow[] {
  return [...users].map(([user, sums]) => ({ kind: 'user', labels: { user }, sums }));
}

/** `tunnel` names the tunnel where there are several; empty where there is one. */
export function rowsOfConnections(connections: ReadonlyMap<number, ConnectionCounts>, tunnel = ''): CounterRow[] {
  return [...connections].map(([slot, sums]) => ({
    kind: 'connection',
    labels: { ...(tunnel !== '' && { tunnel }), slot: String(slot) },
    sums: { ...sums },
  }));
}
