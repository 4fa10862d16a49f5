import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { TraceMeter } from '#core/packets/trace-meter.ts';
import { CaptureReportSchema, type CaptureReport } from './capture-messages.ts';

export interface CaptureResult extends CaptureCounters {
  program: PacketSource['program'];
  /** Of the same bytes as the file. */
  statistics: CaptureStatistics;
  fileBytes: number;
  /** It ended before `stop`, when the file had reached its limit. */
  isLimited: boolean;
}

/** A capture under way: the bytes of the source go to the file and into the statistics. Disposing of it ends it, with the file as it is then. */
export class LiveCapture implements AsyncDisposable {
  readonly program: PacketSource['program'];
  readonly #source: PacketSource;
  readonly #file: FileHandle;
  readonly #meter: TraceMeter;
  readonly #maximumFileBytes: number;
  readonly #recording: Promise<void>;
  #counters: Promise<CaptureCounters> | null = null;
  #fileBytes = 0;
  #isLimited = false;

  constructor(
    source: PacketSource,
    file: FileHandle,
    limits: { localAddresses: readonly string[]; maximumFileBytes: number },
  ) {
    this.program = source.program;
    this.#source = source;
    this.#file = file;
    this.#meter = new TraceMeter({ localAddresses: limits.localAddresses });
    this.#maximumFileBytes = limits.maximumFileBytes;
    this.#recording = this.#record();
    this.#recording.catch(() => source[Symbol.dispose]()); // `stop` reports why
  }

  /** Takes what is still on its way, ends the capture and closes the file. Throws `capture-unavailable` when it had ended by itself. */
  async stop(): Promise<CaptureResult> {
    try {
      const [counters] = await Promise.all([this.#stopSource(), this.#recording]);
      const { program } = this;
      const fileBytes = this.#fileBytes;
      const isLimited = this.#isLimited;
      return { ...counters, program, statistics: this.#meter.finish(), fileBytes, isLimited };
    } catch (cause) {
      throw new AppError('capture-unavailable', `The capture ended before it was to: ${(cause as Error).message}`, {
        cause,
      });
    } finally {
      await this[Symbol.asyncDispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#source[Symbol.dispose]();
    await this.#recording.catch(() => undefined); // reported by `stop`, where somebody called it
    await this.#file.close();
  }

  async #record(): Promise<void> {
    for await (const chunk of this.#source.trace as AsyncIterable<Buffer>) {
      await this.#file.writeFile(chunk); // unlike `write`, all of it, also where the disk is almost full
      this.#meter.push(chunk);
      this.#fileBytes += chunk.length;
      if (this.#fileBytes <= this.#maximumFileBytes || this.#isLimited) continue;
      this.#isLimited = true;
      this.#stopSource().catch(() => undefined); // `stop` waits for the same and reports it
    }
  }

  #stopSource(): Promise<CaptureCounters> {
    this.#counters ??= this.#source.stop();
    return this.#counters;
  }
}

const program = new URL('capture-process.ts', import.meta.url);

/** Captures with node-pcap in a process of its own. Rejects when the addon is not there, or may not or cannot capture so. */
export async function openPcapSource(options: SourceOptions): Promise<PacketSource> {
  const child = fork(program, [JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  // Unlike `exit`, it comes after the last message.
  const gone = once(child, 'disconnect').then((): CaptureReport => ({
    kind: 'failed',
    problem: 'the capturing process ended by itself',
  }));
  const nextReport = () =>
    Promise.race([once(child, 'message').then(([message]) => CaptureReportSchema.parse(message)), gone]);

  const first = await nextReport();
  if (first.kind !== 'ready') {
    child.kill('SIGKILL');
    throw new Error(
      first.kind === 'failed' ? first.problem : `the capturing process reported "${first.kind}" before it was ready`,
    );
  }
  return {
    program: 'pcap',
    trace: child.stdout!,
    async stop() {
      const reported = nextReport();
      if (child.connected) child.send('stop');
      const report = await reported;
      if (report.kind !== 'stopped')
        throw new Error(report.kind === 'failed' ? report.problem : 'the capturing process did not stop');
      const { receivedPackets, droppedByKernel, droppedByInterface } = report;
      return { receivedPackets, droppedByKernel, droppedByInterface };
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** A process that captures and writes a pcap trace to its output. */
export interface PacketSource {
  program: 'pcap' | 'tcpdump';
  /** Ends with the process, after the last packet. */
  trace: Readable;
  /** Asks it to write what it still holds and end; the counters come when it has. Rejects when it ended without them. */
  stop(): Promise<CaptureCounters>;
  /** Ends it at once. */
  [Symbol.dispose](): void;
}

export interface CaptureCounters {
  /** Packets that the filter let through, dropped ones among them. */
  receivedPackets: number;
  /** They came faster than they could be taken. */
  droppedByKernel: number;
  droppedByInterface: number;
}

export interface SourceOptions {
  interface: string;
  filter: string;
  snapBytes: number;
  bufferBytes: number;
}
