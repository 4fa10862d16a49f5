/** What is known of a host of the inventory. */
export interface HostStatus {
  name: string;
  target: string;
  /** `stopped`: it has a service that does not run. `unknown`: the host could not be asked. */
  agent: 'channel' | 'service' | 'stopped' | 'none' | 'unknown';
  /** Null where this user runs no Controller on this machine. */
  isConnected: boolean | null;
  /** `other`: not what this machine has; the next `up` sends that. */
  program: 'current' | 'other' | 'none' | 'unknown';
  /** Why it could not be asked. */
  reason: string | null;
}

const agentWords: Record<HostStatus['agent'], string> = {
  channel: 'runs, ends with its channel',
  service: 'runs, as a service',
  stopped: 'service does not run',
  none: 'none',
  unknown: 'unknown',
};
const programWords: Record<HostStatus['program'], string> = {
  current: 'this one',
  other: 'another version',
  none: 'none',
  unknown: 'unknown',
};

/** A table, a line for each host. */
export function formatStatus(states: HostStatus[]): string[] {
  const rows = [
    ['Host', 'SSH', 'Controller', 'HTTP-AE', 'Agent'],
    ...states.map(({ name, target, isConnected, program, agent }) => [
      name,
      target,
      isConnected === null ? 'unknown' : isConnected ? 'connected' : 'not connected',
      programWords[program],
      agentWords[agent],
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
