import type { ConnectionCounts } from './counter-help.ts';

/** Sums since the end was started, of one user or of one connection; of a tunnel, what holds now. */
export interface CounterRow {
  kind: 'user' | 'connection' | 'tunnel';
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

/** Of a tunnel whose rate is estimated. */
export function rowOfTunnel(tunnel: string, linkKbps: number): CounterRow {
  return { kind: 'tunnel', labels: { tunnel }, sums: { linkKbps: Math.round(linkKbps) } };
}
