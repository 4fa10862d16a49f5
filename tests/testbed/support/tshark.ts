import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readTshark, type TsharkTcp } from '#cli/capinfo/against/read-tshark.ts';

const run = promisify(execFile);

/** The analysis of all packets of each host whose address begins with `10.`; for a trace in which such hosts talk to others only. */
export async function readTsharkByHost(file: string): Promise<Map<string, TsharkTcp>> {
  const { tcp } = await readTshark(file, {
    groupOf: (source, destination) => (source.startsWith('10.') ? source : destination),
  });
  return tcp;
}

/** Every round trip of an acknowledgement, and that of the handshake, of a trace with one connection. */
export async function readRoundTrips(file: string): Promise<{ ackRttMs: number[]; initialRttMs: number }> {
  const { stdout } = await run('tshark', [
    '-n',
    '-r',
    file,
    '-T',
    'fields',
    '-e',
    'tcp.analysis.ack_rtt',
    '-e',
    'tcp.analysis.initial_rtt',
  ]);
  const rows = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));
  // Seconds with nine decimals: as nanoseconds they are whole numbers.
  const toMs = (seconds: string) => Math.round(Number(seconds) * 1e9) / 1e6;
  return {
    ackRttMs: rows.flatMap(([ackRtt]) => (ackRtt ? [toMs(ackRtt)] : [])),
    initialRttMs: toMs(rows.find(([, initialRtt]) => initialRtt)![1]!),
  };
}

/** How many packets of a trace fit a display filter. */
export async function countPackets(file: string, filter: string): Promise<number> {
  const { stdout } = await run('tshark', ['-n', '-r', file, '-Y', filter, '-T', 'fields', '-e', 'frame.number']);
  return stdout.split('\n').filter(Boolean).length;
}

/** Of all requests in HTTP, as they are in the trace. */
export async function readRequestUris(file: string): Promise<string[]> {
  const { stdout } = await run('tshark', [
    '-n',
    '-r',
    file,
    '-Y',
    'http.request',
    '-T',
    'fields',
    '-e',
    'http.request.uri',
  ]);
  // A packet with several has them all in its line.
  return stdout.split(/[\n,]/).filter(Boolean);
}
