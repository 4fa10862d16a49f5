import type { FileHandle } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { TraceMeter } from '#core/packets/trace-meter.ts';
import type { CaptureCounters, PacketSource } from './open-pcap-source.ts';

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
      await this.#file.write(chunk);
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
