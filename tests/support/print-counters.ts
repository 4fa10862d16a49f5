import { httpepScripts, type ProcessOutput } from '#core/record/httpep-traffic.ts';

interface PrintedCounters {
  waitMs?: number;
  tunnelBytes?: number;
  promised?: number;
  used?: number;
  /** Null: the kernel does not report them. */
  retransmissions?: number | null;
}

/** What the processes of HTTPEP print in a Round: of two users and two connections. */
export function printCounters({
  waitMs = 6200,
  tunnelBytes = 300_000,
  promised = 30,
  used = 24,
  retransmissions = 2,
}: PrintedCounters = {}): ProcessOutput[] {
  const ground = { end: 'ground' };
  const remote = { end: 'remote' };
  return [
    print('ground', 'Listening on 198.19.0.1:9000\n', [
      { ...ground, kind: 'user', user: 'a', requests: 2, originBytes: 400_000, tunnelBytes: tunnelBytes - 60_000 },
      { ...ground, kind: 'user', user: 'b', requests: 1, originBytes: 100_000, tunnelBytes: 60_000 },
      {
        ...ground,
        kind: 'connection',
        tunnel: 'ab',
        slot: '0',
        bytesSent: 310_000,
        bytesReceived: 10_000,
        ...(retransmissions !== null && { retransmissions }),
      },
    ]),
    print('remote', 'The tunnel stands\n{ a note\n', [
      {
        ...remote,
        kind: 'user',
        user: 'a',
        requests: 30,
        connects: 2,
        promised,
        used,
        unused: promised - used,
        answers: 30,
        waitMs: waitMs - 200,
      },
      { ...remote, kind: 'user', user: 'b', requests: 1, answers: 1, waitMs: 200 },
      { ...remote, kind: 'page', url: 'http://a/', requests: 30, promised: 30, used: 24, waitMs: 6000 },
      { ...remote, kind: 'connection', slot: '0', bytesSent: 6000, bytesReceived: 210_000, retransmissions: 0 },
      { ...remote, kind: 'connection', slot: '1', bytesSent: 4000, bytesReceived: 100_000, retransmissions: 1 },
    ]),
  ];
}

function print(end: keyof typeof httpepScripts, notes: string, lines: object[]): ProcessOutput {
  return { script: httpepScripts[end], output: notes + lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
}
