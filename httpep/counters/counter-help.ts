/** What each counter of a user counts, at the remote end. */
export const remoteUserHelp = {
  requests: 'requests of browsers, without CONNECT',
  connects: 'CONNECT requests, and upgrades such as WebSocket',
  refused: 'requests that HTTPEP refused: not allowed, or too many',
  failed: 'requests that HTTPEP answered for the ground end: 502 and 504',
  pages: 'requests for pages',
  answers: 'heads of answers that came, by request or ahead',
  waitMs: 'milliseconds from requests to heads of their answers, in sum',
  bodyBytes: 'bytes of bodies handed to browsers, as the web server or the ground end made them',
  tunnelBytes: 'bytes of these bodies in the tunnel',
  promised: 'answers that the ground end said it would send ahead',
  used: 'of these, handed to a browser',
  unused: 'of these, given up, or asked for in another way',
  unusedBytes: 'bytes of bodies that came ahead in vain',
} as const;

/** At the ground end. */
export const groundUserHelp = {
  requests: 'requests of browsers',
  connects: 'CONNECT requests',
  pushes: 'requests made ahead',
  failed: 'requests that no web server answered',
  droppedFields: 'lines of answers that are no field, which were left out',
  originWaitMs: 'milliseconds from requests to heads of the web servers, in sum',
  originBytes: 'bytes of bodies that came from web servers',
  tunnelBytes: 'bytes of these bodies in the tunnel, after compression',
  texts: 'texts that were compressed, without a loss',
  lossyImages: 'images that were recompressed, with a loss',
  lossyOriginalBytes: 'bytes of these images before',
  lossyBytes: 'bytes of these images after',
} as const;

/** Of a connection of the tunnel, at either end. */
export const connectionHelp = {
  opened: 'connections that were opened in this slot',
  framesSent: 'frames sent',
  bytesSent: 'bytes sent above TCP',
  framesReceived: 'frames received',
  bytesReceived: 'bytes received above TCP',
  retransmissions: 'TCP segments that the kernel sent again, where it reports them',
  framesResent: 'frames that were taken back from a lost connection of this slot, to be sent again',
} as const;

/** Of a tunnel, at the ground end. */
export const tunnelHelp = { linkKbps: 'estimated rate of the link, in kb/s, with the headers of Ethernet' } as const;

export type RemoteUserCounter = keyof typeof remoteUserHelp;
export type GroundUserCounter = keyof typeof groundUserHelp;
/** Without retransmissions where the kernel does not report them. */
export type ConnectionCounts = Record<Exclude<keyof typeof connectionHelp, 'retransmissions'>, number> & {
  retransmissions?: number;
};

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

/** More users are counted together, under this name. */
const maxRows = 1000;
const others = '(others)';

/** Sums by user. Bounded. */
export class CounterTable<Name extends string> {
  readonly #names: readonly Name[];
  readonly #rows = new Map<string, Record<Name, number>>();

  constructor(help: Readonly<Record<Name, string>>) {
    this.#names = Object.keys(help) as Name[];
  }

  add(user: string, name: Name, by = 1): void {
    const key = this.#rows.has(user) || this.#rows.size < maxRows ? user : others;
    let row = this.#rows.get(key);
    if (!row) {
      row = Object.fromEntries(this.#names.map((each) => [each, 0])) as Record<Name, number>;
      this.#rows.set(key, row);
    }
    row[name] += by;
  }

  get rows(): ReadonlyMap<string, Readonly<Record<Name, number>>> {
    return this.#rows;
  }
}
