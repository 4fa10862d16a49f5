import { Worker } from 'node:worker_threads';
import type { Json } from './mutate-value.ts';
import type { Failure } from './fuzz-loop.ts';

/** Of wall-clock time, for one input: this long, not even a busy machine takes. */
const usualSilenceMs = 60_000;
const maximumHeapMiB = 512;
const currentBytes = 1024 * 1024;

export interface WorkerData {
  /** The URL of the module with the target. */
  module: string;
  sources: readonly string[];
  seed: number;
  durationMs: number;
  /** Batches of new inputs that are run even when the time is up; none by default. */
  leastBatches?: number;
  /** The most processor time that an input may take; as usual by default. */
  maximumCpuMs?: number;
  corpus: Json[];
  wantsCorpus: boolean;
  /** A count of inputs, the length of the current one, and its text. */
  current: SharedArrayBuffer;
}

export type WorkerMessage = ({ kind: 'failure' } & Failure) | ({ kind: 'end' } & TargetFigures);

export interface TargetFigures {
  executions: number;
  keptCount: number;
  wordCount: number;
  reachedRatio: number;
  /** What may be kept for the next time; empty unless asked for. */
  corpus: Json[];
}

export interface TargetRun {
  failures: Failure[];
  /** Null where an input ended the run. */
  figures: TargetFigures | null;
  elapsedMs: number;
}

export interface TargetOptions extends Omit<WorkerData, 'current'> {
  maximumSilenceMs?: number;
}

/** Fuzzes one target in a thread of its own, which is ended where an input takes all time or memory. */
export async function runTarget({ maximumSilenceMs = usualSilenceMs, ...options }: TargetOptions): Promise<TargetRun> {
  const current = new SharedArrayBuffer(8 + currentBytes);
  const startMs = performance.now();
  const failures: Failure[] = [];
  let figures: TargetFigures | null = null;
  const worker = new Worker(new URL('fuzz-worker.ts', import.meta.url), {
    workerData: { current, ...options } satisfies WorkerData,
    resourceLimits: { maxOldGenerationSizeMb: maximumHeapMiB },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const fatal = Promise.withResolvers<string | null>();
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'failure') failures.push(message);
    else figures = message;
  });
  worker.on('error', (error) =>
    fatal.resolve(`It ended the thread: ${error instanceof Error ? error.stack : String(error)}`),
  );
  worker.on('exit', () => fatal.resolve(null));
  const watch = watchProgress(current, maximumSilenceMs, () =>
    fatal.resolve(`It did not end within ${maximumSilenceMs / 1000} s`),
  );
  const problem = await fatal.promise;
  clearInterval(watch);
  await worker.terminate();
  const input = readCurrent(current);
  if (problem !== null && input === undefined) throw new Error(`No input was run: ${problem}`);
  if (problem !== null && input !== undefined) failures.push({ input, problem });
  return { failures, figures, elapsedMs: performance.now() - startMs };
}

function watchProgress(current: SharedArrayBuffer, maximumSilenceMs: number, onSilence: () => void): NodeJS.Timeout {
  const header = new Int32Array(current, 0, 2);
  let last = { count: -1, atMs: performance.now() };
  return setInterval(() => {
    const count = Atomics.load(header, 0);
    if (count !== last.count) last = { count, atMs: performance.now() };
    // Before the first input, its code is loaded.
    else if (performance.now() - last.atMs > (count === 0 ? usualSilenceMs : maximumSilenceMs)) onSilence();
  }, 1_000);
}

function readCurrent(current: SharedArrayBuffer): Json | undefined {
  const length = new Int32Array(current, 0, 2)[1]!;
  return length === 0
    ? undefined
    : (JSON.parse(new TextDecoder().decode(Uint8Array.from(new Uint8Array(current, 8, length)))) as Json);
}
