import { z } from 'zod';

/** What both ends of HTTPEP counted in one Round, over all users and connections. */
export interface HttpepCounts {
  /** Of browsers at the remote end, CONNECT included. */
  requests: number;
  /** Bytes of bodies that the ground end fetched, and what they took in the tunnel. */
  bytesBefore: number;
  bytesAfter: number;
  /** Bytes that the remote end sent and received above TCP, on all connections. */
  tunnelBytes: number;
  /** Answers sent ahead, and what became of them. */
  pushed: number;
  used: number;
  unused: number;
  /** Answers of which the head came, and the sum of the times that their requests waited for it, in ms. */
  answers: number;
  waitMs: number;
  /** TCP segments that both ends sent again; null where the kernel of one does not report them. */
  retransmissions: number | null;
}

export interface HttpepTraffic {
  block: number;
  scenario: string;
  counted: { kind: 'counted'; counts: HttpepCounts } | { kind: 'absent'; reason: string };
}

/** How the process of each end is stored with its Round. */
export const httpepScripts = { ground: 'http-ae pep ground', remote: 'http-ae pep remote' } as const;

/** What a process of a Round printed. */
export interface ProcessOutput {
  script: string;
  output: string;
}

const count = z.number().nonnegative().default(0);
const LineSchema = z.object({
  end: z.enum(['ground', 'remote']),
  kind: z.enum(['user', 'connection']),
  requests: count,
  connects: count,
  originBytes: count,
  tunnelBytes: count,
  bytesSent: count,
  bytesReceived: count,
  promised: count,
  used: count,
  unused: count,
  answers: count,
  waitMs: count,
  retransmissions: z.number().nonnegative().optional(),
});
type Line = z.infer<typeof LineSchema>;

/** What HTTPEP counted in a Round, from what its processes printed. An end without counters leaves the Round out. */
export function describeHttpepTraffic(processes: readonly ProcessOutput[]): HttpepTraffic['counted'] {
  const read = (end: Line['end']) =>
    processes
      .filter(({ script }) => script === httpepScripts[end])
      .flatMap(({ output }) => output.split('\n'))
      .flatMap(parseLine)
      .filter((line) => line.end === end);
  const ground = read('ground');
  const remote = read('remote');
  const isMissing = (lines: readonly Line[]) => !lines.some(({ kind }) => kind === 'connection');
  if (isMissing(remote)) return { kind: 'absent', reason: 'The counters of the remote end are not stored.' };
  if (isMissing(ground)) return { kind: 'absent', reason: 'The counters of the ground end are not stored.' };
  const groundUsers = ground.filter(({ kind }) => kind === 'user');
  const users = remote.filter(({ kind }) => kind === 'user');
  const connections = remote.filter(({ kind }) => kind === 'connection');
  return {
    kind: 'counted',
    counts: {
      requests: sum(users, 'requests') + sum(users, 'connects'),
      bytesBefore: sum(groundUsers, 'originBytes'),
      bytesAfter: sum(groundUsers, 'tunnelBytes'),
      tunnelBytes: sum(connections, 'bytesSent') + sum(connections, 'bytesReceived'),
      pushed: sum(users, 'promised'),
      used: sum(users, 'used'),
      unused: sum(users, 'unused'),
      answers: sum(users, 'answers'),
      waitMs: sum(users, 'waitMs'),
      retransmissions: sumRetransmissions([...ground, ...remote].filter(({ kind }) => kind === 'connection')),
    },
  };
}

/** Empty for what is no counter: an end prints notes, too. */
function parseLine(text: string): Line[] {
  if (!text.startsWith('{')) return [];
  try {
    const { data } = LineSchema.safeParse(JSON.parse(text));
    return data ? [data] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function sum(lines: readonly Line[], name: Exclude<keyof Line, 'end' | 'kind' | 'retransmissions'>): number {
  return lines.reduce((total, line) => total + line[name], 0);
}

function sumRetransmissions(connections: readonly Line[]): number | null {
  let total = 0;
  for (const { retransmissions } of connections) {
    if (retransmissions === undefined) return null;
    total += retransmissions;
  }
  return total;
}
