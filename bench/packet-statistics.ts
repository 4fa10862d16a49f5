import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMedian } from './support/read-quantile.ts';
import { runMeasured, type MeasuredRun } from './support/run-measured.ts';
import { writeTrace } from './support/write-trace.ts';

/**
 * Packets per second and memory of `http-ae capinfo`, beside `capinfos` and `tshark -z conv,tcp`, over a trace that is made first, in turn:
 * `node bench/packet-statistics.ts [MEGABYTES] [ROUNDS]`. All read from the page cache; the starts of the programs are in the times.
 */
const sizeBytes = Number(process.argv[2] ?? 1000) * 1e6;
const roundCount = Number(process.argv[3] ?? 5);

const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-bench-'));
try {
  const file = path.join(folder, 'trace.pcap');
  const packetCount = await writeTrace(file, sizeBytes);
  const main = path.resolve(import.meta.dirname, '..', 'cli', 'main.ts');
  const programs = {
    'http-ae capinfo': [process.execPath, '--disable-warning=ExperimentalWarning', main, 'capinfo', '--json', file],
    capinfos: ['capinfos', '-T', '-M', file, '-c', '-d', '-u', '-a', '-e', '-y', '-i', '-z', '-x'],
    'tshark -z conv,tcp': ['tshark', '-n', '-q', '-z', 'conv,tcp', '-r', file],
    'tshark, analysis of every segment': [
      'tshark',
      '-n',
      '-r',
      file,
      '-T',
      'fields',
      '-e',
      'tcp.stream',
      '-e',
      'tcp.analysis.retransmission',
      '-e',
      'tcp.analysis.ack_rtt',
    ],
  };
  const runs = Object.entries(programs).map(([name, command]) => ({ name, command, measured: [] as MeasuredRun[] }));
  for (let round = 0; round < roundCount; round++) {
    for (const { command, measured } of runs) measured.push(await runMeasured(command));
  }

  const medianOf = (measured: MeasuredRun[], what: keyof MeasuredRun) => readMedian(measured.map((run) => run[what]));
  const own = runs[0]!.measured;
  const describe = (measured: MeasuredRun[]) => ({
    'elapsed, s': (medianOf(measured, 'elapsedMs') / 1000).toFixed(2),
    'CPU, s': (medianOf(measured, 'cpuMs') / 1000).toFixed(2),
    'packets per CPU second': Math.round(packetCount / (medianOf(measured, 'cpuMs') / 1000)),
    'CPU, ratio': (medianOf(measured, 'cpuMs') / medianOf(own, 'cpuMs')).toFixed(2),
    'peak memory, MB': (medianOf(measured, 'peakBytes') / 1e6).toFixed(0),
  });
  console.log(`${packetCount} packets in ${(sizeBytes / 1e6).toFixed(0)} MB, medians of ${roundCount} rounds`);
  console.table(Object.fromEntries(runs.map(({ name, measured }) => [name, describe(measured)])));
} finally {
  await rm(folder, { recursive: true, force: true });
}
