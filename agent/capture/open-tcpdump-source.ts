import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { OutputTail } from '../scripts/output-tail.ts';
import { drainCapture, type CaptureProgress } from './drain-capture.ts';
import { readTcpdumpCounters } from './read-tcpdump-counters.ts';
import type { PacketSource, SourceOptions } from './packet-source.ts';

/**
 * tcpdump ends when standard input does: at the stop, and when the process that started it is gone, however that ended. On a quiet interface it
 * would not notice by itself. For each line of standard input it reports how far it is. The shell keeps none of its output, so that the trace ends with tcpdump.
 */
const supervise = '"$@" & exec >&-; while read -r _; do kill -USR1 $!; done; kill -TERM $! 2>/dev/null; wait $!';
/** `tcpdump: 514 packets captured, 1000 packets received by filter, 0 packets dropped by kernel` */
const progressPattern =
  /\b(\d{1,15}) packets? captured, (\d{1,15}) packets? received by filter, (\d{1,15}) packets? dropped by kernel/;

/** Captures with tcpdump. Rejects, with its own words, when it is not there, or may not or cannot capture so. */
export async function openTcpdumpSource(options: SourceOptions): Promise<PacketSource> {
  const command = [
    'tcpdump',
    '-i',
    options.interface,
    '-w',
    '-',
    '-U',
    '--immediate-mode',
    '-n',
    '-p',
    '-s',
    String(options.snapBytes),
    '-B',
    String(Math.ceil(options.bufferBytes / 1024)),
    ...(options.filter === '' ? [] : [options.filter]),
  ];
  // In a group of its own, which Ctrl-C in a terminal does not reach and which can be ended as a whole.
  const child = spawn('sh', ['-c', supervise, 'sh', ...command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const words = new OutputTail();
  const closed = once(child, 'close');
  // It listens from when it says so; before, it has ended.
  const listening = new Promise<boolean>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      words.add(chunk);
      if (words.text().includes('listening on ')) resolve(true);
    });
    child.stdout.once('end', () => resolve(false));
  });
  child.stdin.on('error', () => undefined); // it has ended already, which `closed` reports
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };

  const lines = createInterface(child.stderr);
  const look = async (): Promise<CaptureProgress> => {
    const progress = new Promise<CaptureProgress>((resolve) => {
      const read = (line: string) => {
        const [, taken, received, dropped] = progressPattern.exec(line) ?? [];
        if (taken === undefined) return;
        lines.off('line', read);
        resolve({ taken: Number(taken), kept: Number(received) - Number(dropped) });
      };
      lines.on('line', read);
    });
    child.stdin.write('\n');
    return Promise.race([progress, closed.then(() => ({ taken: 0, kept: 0 }))]);
  };

  if (!(await listening)) {
    child.stdin.end();
    await closed;
    throw new Error(
      words
        .text()
        .trim()
        .split('\n')
        .at(-1)!
        .replace(/^(sh|tcpdump): /, ''),
    );
  }
  return {
    program: 'tcpdump',
    trace: child.stdout,
    async stop() {
      await drainCapture(look);
      child.stdin.end();
      await closed;
      return readTcpdumpCounters(words.text());
    },
    [Symbol.dispose]: end,
  };
}
