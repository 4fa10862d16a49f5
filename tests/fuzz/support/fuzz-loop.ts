import fc from 'fast-check';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { addCoverage, type Coverage, type CoverageMeter } from './coverage-meter.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { minimiseValue } from './minimise-value.ts';
import { mutateValue, type Json } from './mutate-value.ts';

/** Of processor time, with the coverage measured, which slows the code down. */
const usualCpuMs = 1_000;
/** Beyond what the process holds before. */
export const maximumHeldBytes = 256 * 1024 * 1024;
/** As JSON. */
const maximumInputCharacters = 16_384;
const batchSize = 50;
const newbornRatio = 0.15;
const mostFailures = 10;
/** Beyond these, new words are those of the inputs. */
const mostWords = 1_000;

export interface Failure {
  input: Json;
  /** The error as people read it. */
  problem: string;
}

export interface LoopResult {
  executions: number;
  /** Inputs that reached code or words which those before did not. */
  kept: Json[];
  reached: Coverage;
  words: Set<string>;
}

interface LoopOptions {
  seed: number;
  durationMs: number;
  /** Batches of new inputs that are run even when the time is up. */
  leastBatches: number;
  /** Of processor time, for one input. */
  maximumCpuMs?: number;
  corpus: Json[];
  /** Called right before each execution, so that an input which never ends is known. */
  onInput: (input: Json) => void;
  onFailure: (failure: Failure) => void;
}

/**
 * Runs inputs until the time is up: those of the corpus, new ones, and mutations of those that reached something new. Coverage is taken after each
 * batch, as it costs more than an input; where a batch brings something new, its inputs are run once more, one by one.
 */
export async function fuzzLoop(
  target: FuzzTarget<Json>,
  meter: CoverageMeter,
  options: LoopOptions,
): Promise<LoopResult> {
  const { seed, durationMs, leastBatches, maximumCpuMs = usualCpuMs, corpus, onInput, onFailure } = options;
  const random = createRandom(seed);
  const endMs = performance.now() + durationMs;
  const result: LoopResult = { executions: 0, kept: [], reached: new Map(), words: new Set() };
  const failures = new Map<string, Failure>();

  const execute = async (input: Json): Promise<readonly string[]> => {
    result.executions++;
    onInput(input);
    const outcome = await runOnce(target, input, maximumCpuMs);
    if (!('error' in outcome)) return outcome.words;
    const signature = signError(outcome.error);
    if (!failures.has(signature) && failures.size < mostFailures) {
      failures.set(signature, { input, problem: '' });
      const smallest = await minimiseValue(
        input,
        async (smaller) => {
          if (!target.schema.safeParse(smaller).success) return false;
          onInput(smaller);
          const again = await runOnce(target, smaller, maximumCpuMs);
          return 'error' in again && signError(again.error) === signature;
        },
        { maximumTries: 2_000 },
      );
      onFailure({ input: smallest, problem: describeError(outcome.error) });
    }
    return ['failure'];
  };
  const runBatch = async (batch: Json[]): Promise<void> => {
    let hasNewWords = false;
    for (const input of batch)
      for (const word of await execute(input)) hasNewWords ||= result.words.size < mostWords && !result.words.has(word);
    if (addCoverage(result.reached, await meter.take()) === null && !hasNewWords) return;
    await keepNew(batch);
  };
  /** What is new of each input by itself, held against what those that were kept reach by themselves. */
  const own: Coverage = new Map();
  const keepNew = async (batch: Json[]): Promise<void> => {
    for (const input of batch) {
      const words = (await execute(input)).filter((word) => result.words.size < mostWords && !result.words.has(word));
      const fresh = addCoverage(own, await meter.take());
      for (const word of words) result.words.add(word);
      if (fresh !== null || words.length > 0) result.kept.push(input);
    }
  };

  await meter.take();
  for (let start = 0; start < corpus.length; start += batchSize) await runBatch(corpus.slice(start, start + batchSize));
  let born: Json[] = [];
  const bear = (): Json => {
    if (born.length === 0)
      born = fc.sample(target.arbitrary, { numRuns: batchSize, seed: Math.floor(random() * 2 ** 31) });
    return born.pop()!;
  };
  for (let batches = 0; batches < leastBatches || performance.now() < endMs; batches++) {
    if (failures.size >= mostFailures) break;
    const batch: Json[] = [];
    for (let tries = 0; batch.length < batchSize && tries < 20 * batchSize; tries++) {
      const isNewborn = result.kept.length === 0 || random() < newbornRatio;
      const input = isNewborn
        ? bear()
        : mutateValue(choose(result.kept, random), { donor: choose(result.kept, random), random });
      const text = JSON.stringify(input);
      if (text.length > maximumInputCharacters) continue;
      const parsed = target.schema.safeParse(JSON.parse(text));
      if (parsed.success) batch.push(parsed.data);
    }
    await runBatch(batch);
  }
  return result;
}

/** The younger half as often as all: they have been tried less. */
function choose(kept: Json[], random: () => number): Json {
  const from = random() < 0.5 ? Math.floor(kept.length / 2) : 0;
  return kept[from + Math.floor(random() * (kept.length - from))]!;
}

async function runOnce(
  target: FuzzTarget<Json>,
  input: Json,
  maximumCpuMs: number,
): Promise<{ words: readonly string[] } | { error: Error }> {
  try {
    const first = await measure(target, input);
    // The first time, its code may have been compiled and memory been cleared.
    const cpuMs = first.cpuMs > maximumCpuMs ? (await measure(target, input)).cpuMs : first.cpuMs;
    if (cpuMs > maximumCpuMs)
      throw new Error(`It took ${Math.round(cpuMs)} ms of processor time, and may take ${maximumCpuMs}`);
    const heldBytes = process.memoryUsage().arrayBuffers;
    if (heldBytes > maximumHeldBytes)
      throw new Error(`It holds ${heldBytes} bytes in buffers, and may hold ${maximumHeldBytes}`);
    return { words: first.words };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function measure(target: FuzzTarget<Json>, input: Json): Promise<{ words: readonly string[]; cpuMs: number }> {
  const before = process.threadCpuUsage();
  const words = await target.run(input);
  const { user, system } = process.threadCpuUsage(before);
  return { words, cpuMs: (user + system) / 1000 };
}

/** What distinguishes one fault from another: the kind of error and the first place in our own code. */
function signError(error: Error): string {
  const place =
    error.stack?.split('\n').find((line) => line.includes('file://') && !line.includes('node_modules')) ?? '';
  return `${error.name} ${place.trim()}`;
}

function describeError(error: Error): string {
  return `${error.stack ?? error.message}${error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : ''}`;
}
