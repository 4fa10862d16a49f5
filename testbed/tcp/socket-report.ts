/** What the kernel reports of one connection. */
export interface SocketReport {
  congestionControl: string;
  /** Congestion window. */
  windowSegments: number;
  /** The largest packet that it sends. */
  pathMtuBytes: number;
  /** Of the window that it advertises, as a power of two. */
  receiveWindowScale: number;
  /** Memory for what arrives, and for what is sent; the kernel's overhead included. */
  receiveMemoryBytes: number;
  sendMemoryBytes: number;
  usesEcn: boolean;
}

/** Reads the line that `ss -tiOm` prints of a connection; the variant comes before the first of the figures (tcp_stats_print in iproute2). Null when it is none. */
export function readSocketReport(line: string): SocketReport | null {
  const congestionControl = /(?<!\S)(\S+) (?:wscale:\S+ )?rto:/.exec(line)?.[1];
  const windowSegments = readNumber(line, /\bcwnd:(\d+)/);
  const pathMtuBytes = readNumber(line, /\bpmtu:(\d+)/);
  const receiveMemoryBytes = readNumber(line, /\bskmem:\([^)]*\brb(\d+)/);
  const sendMemoryBytes = readNumber(line, /\bskmem:\([^)]*\btb(\d+)/);
  if (
    congestionControl === undefined ||
    windowSegments === undefined ||
    pathMtuBytes === undefined ||
    receiveMemoryBytes === undefined ||
    sendMemoryBytes === undefined
  )
    return null;
  return {
    congestionControl,
    windowSegments,
    pathMtuBytes,
    receiveWindowScale: readNumber(line, /\bwscale:\d+,(\d+)/) ?? 0,
    receiveMemoryBytes,
    sendMemoryBytes,
    usesEcn: /(?<!\S)ecn(?!\S)/.test(line),
  };
}

function readNumber(line: string, pattern: RegExp): number | undefined {
  const text = pattern.exec(line)?.[1];
  return text === undefined ? undefined : Number(text);
}
