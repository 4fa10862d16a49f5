/** Of a TCP connection, as this end sees it. */
export interface Ports {
  local: number;
  remote: number;
}

export function portsKeyOf({ local, remote }: Ports): string {
  return `${local} ${remote}`;
}

/** Segments sent again, by the ports of each connection, from `ss -tinH`: a line for each, and one of details behind it. `retrans:a/b` has the total as b, and is missing at 0. */
export function parseRetransmissions(text: string): Map<string, number> {
  const totals = new Map<string, number>();
  let ports: Ports | null = null;
  for (const line of text.split('\n')) {
    if (!/^\s/.test(line)) {
      ports = readPorts(line);
      continue;
    }
    if (ports) totals.set(portsKeyOf(ports), Number(/\sretrans:\d+\/(\d+)/.exec(line)?.[1] ?? 0));
    ports = null;
  }
  return totals;
}

/** State, queues, local and remote address; null for another line. */
function readPorts(line: string): Ports | null {
  const match = /^\S+\s+\d+\s+\d+\s+\S+:(\d+)\s+\S+:(\d+)/.exec(line);
  return match && { local: Number(match[1]), remote: Number(match[2]) };
}
