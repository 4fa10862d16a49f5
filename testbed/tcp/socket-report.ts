/** What the kernel reports of one connection. */
export interface SocketReport {
  congestionControl: string;
  /** Congestion window. */
  windowSegments: number;
  /** The largest packet that it sends. */
  pathMtuBytes: number;
}

/** Reads the line that `ss -tiO` prints of a connection; the variant comes before the first of the figures (tcp_stats_print in iproute2). Null when it is none. */
export function readSocketReport(line: string): SocketReport | null {
  const congestionControl = /(?<!\S)(\S+) (?:wscale:\S+ )?rto:/.exec(line)?.[1];
  const windowSegments = /\bcwnd:(\d+)/.exec(line)?.[1];
  const pathMtuBytes = /\bpmtu:(\d+)/.exec(line)?.[1];
  if (congestionControl === undefined || windowSegments === undefined || pathMtuBytes === undefined) return null;
  return { congestionControl, windowSegments: Number(windowSegments), pathMtuBytes: Number(pathMtuBytes) };
}
