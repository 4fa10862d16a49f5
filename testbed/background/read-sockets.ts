/** What the kernel counted of one TCP connection. */
export interface SocketCounts {
  /** Both of its ends. */
  connection: string;
  roundTripMs: number | null;
  sentBytes: number;
  retransmittedBytes: number;
}

/** Reads what `ss -tinOH` prints: a line for each connection. A figure that the kernel leaves out is 0. */
export function readSockets(output: string): SocketCounts[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, , , local = '', peer = ''] = line.trim().split(/\s+/);
      const roundTrip = /(?<!\S)rtt:([\d.]+)/.exec(line)?.[1];
      return {
        connection: `${local} ${peer}`,
        roundTripMs: roundTrip === undefined ? null : Number(roundTrip),
        sentBytes: Number(/\bbytes_sent:(\d+)/.exec(line)?.[1] ?? 0),
        retransmittedBytes: Number(/\bbytes_retrans:(\d+)/.exec(line)?.[1] ?? 0),
      };
    });
}
