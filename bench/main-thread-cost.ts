import { openChromeEngine } from '#agent/engines/open-engines.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { loadavg } from 'node:os';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { estimateMedian } from './support/interval-of-median.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * What recording the main thread costs a Visit: two browsers take turns on a page of 30 images, in the other order each time, one as it is and one that
 * records: `npm run build:probe && node bench/main-thread-cost.ts [TURNS]`.
 */
const turnCount = Number(process.argv[2] ?? 60);
const unmeasuredTurns = 3;

const engine = await openChromeEngine({ executablePath: findChrome() });
await using origin = await startOriginProcess();
const pageLoad = PageLoadSchema.parse({ restMs: 400, quietMs: 200 });
const browser = BrowserSettingsSchema.parse({});
await using plain = await engine.open({ pageLoad, browser });
await using recording = await engine.open({ pageLoad, browser, recordsMainThread: true });

interface Measured {
  totalMs: number;
  /** From the Snapshot until the engine was done. */
  afterwardsMs: number;
  /** 0 where it was not recorded. */
  mainThreadMs: number;
}

async function measure(session: EngineSession): Promise<Measured> {
  await session.prepare();
  const outcome = await session.visit({ url: `${origin.httpUrl}/images/30`, signal: new AbortController().signal });
  if (outcome.status === 'failed') throw new Error(`A Visit failed: ${outcome.detail}`);
  const { snapshot } = outcome;
  if (snapshot.mainThread?.kind === 'absent') throw new Error(`A Visit has no record: ${snapshot.mainThread.reason}`);
  const afterwardsMs = epochClock() - snapshot.takenEpochMs;
  const valueOf = (name: string) => {
    const reading = deriveReadings(snapshot).find(({ metric }) => metric === name);
    return reading?.kind === 'measured' ? reading.value : 0;
  };
  return { totalMs: valueOf('totalMs'), afterwardsMs, mainThreadMs: valueOf('mainThreadMs') };
}

const turns: { as: Measured; recorded: Measured }[] = [];
for (let turn = -unmeasuredTurns; turn < turnCount; turn++) {
  const measured: Partial<(typeof turns)[number]> = {};
  const arms = [
    async () => void (measured.as = await measure(plain)),
    async () => void (measured.recorded = await measure(recording)),
  ];
  for (const arm of turn % 2 === 0 ? arms : arms.toReversed()) await arm();
  if (turn >= 0) turns.push(measured as (typeof turns)[number]);
}

const describe = (values: number[], decimals = 1) => {
  const { median, low, high } = estimateMedian(values);
  return {
    median: median.toFixed(decimals),
    '95 % interval': `${low.toFixed(decimals)} … ${high.toFixed(decimals)}`,
  };
};
console.log(`A page of 30 images, ${turnCount} turns; load average ${loadavg()[0]!.toFixed(1)}`);
console.table({
  'total latency as it is, ms': describe(turns.map(({ as }) => as.totalMs)),
  'more with the main thread recorded, ms': describe(turns.map(({ as, recorded }) => recorded.totalMs - as.totalMs)),
  'recorded / as it is': describe(
    turns.map(({ as, recorded }) => recorded.totalMs / as.totalMs),
    3,
  ),
  'more after the Visit, ms': describe(turns.map(({ as, recorded }) => recorded.afterwardsMs - as.afterwardsMs)),
  'main thread, ms': describe(turns.map(({ recorded }) => recorded.mainThreadMs)),
});
