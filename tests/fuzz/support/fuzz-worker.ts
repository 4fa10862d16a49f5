import { parentPort, workerData } from 'node:worker_threads';
import { chooseCorpus } from './choose-corpus.ts';
import { CoverageMeter } from './coverage-meter.ts';
import { fuzzLoop } from './fuzz-loop.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import type { WorkerData, WorkerMessage } from './run-target.ts';
import type { Json } from './mutate-value.ts';

const {
  module,
  sources,
  seed,
  durationMs,
  leastBatches = 0,
  maximumCpuMs,
  corpus,
  wantsCorpus,
  current,
} = workerData as WorkerData;
const report = (message: WorkerMessage) => parentPort!.postMessage(message);
const header = new Int32Array(current, 0, 2);
const text = new Uint8Array(current, 8);

/** Leaves the input where the other thread finds it when this one never ends. */
const onInput = (input: Json) => {
  const { written } = new TextEncoder().encodeInto(JSON.stringify(input), text);
  header[1] = written;
  Atomics.add(header, 0, 1);
};

using meter = new CoverageMeter(sources);
await meter.start();
// Only code that is loaded now is counted.
const { target } = (await import(module)) as { target: FuzzTarget<Json> };
const { executions, kept, reached, words } = await fuzzLoop(target, meter, {
  seed,
  durationMs,
  leastBatches,
  ...(maximumCpuMs !== undefined && { maximumCpuMs }),
  corpus,
  onInput,
  onFailure: (failure) => report({ kind: 'failure', ...failure }),
});
const chosen = wantsCorpus ? await chooseCorpus(target, meter, { inputs: kept, onInput }) : [];
report({
  kind: 'end',
  executions,
  keptCount: kept.length,
  wordCount: words.size,
  reachedRatio: meter.readReachedRatio(reached),
  corpus: chosen,
});
