import { openChromeEngine } from '#agent/engines/open-engines.ts';
import type { EngineSession, VisitRequest } from '#agent/engines/engine.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { estimateMedian } from './support/interval-of-median.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * What headers for HARs, screenshots and filmstrips cost a Visit: four browsers take turns on a page of 30 images, in another order each time, one as it is, one
 * that records headers, one that takes a screenshot after each Visit, one that films the viewport: `npm run build:probe && node bench/har-cost.ts [TURNS]`.
 */
const turnCount = Number(process.argv[2] ?? 60);
const unmeasuredTurns = 3;

const engine = await openChromeEngine({ executablePath: findChrome() });
await using origin = await startOriginProcess();
const pageLoad = PageLoadSchema.parse({ restMs: 400, quietMs: 200 });
const browser = BrowserSettingsSchema.parse({});
await using plain = await engine.open({ pageLoad, browser });
await using recording = await engine.open({ pageLoad, browser, recordsHeaders: true });
await using picturing = await engine.open({ pageLoad, browser });
await using filming = await engine.open({ pageLoad, browser, filmsViewport: true });

interface Measured {
  totalMs: number;
  snapshotBytes: number;
  /** From the Snapshot until the engine was done. */
  afterwardsMs: number;
  /** Of its filmstrip; 0 where there is none. */
  frames: number;
  frameBytes: number;
}

async function measure(
  session: EngineSession,
  receivers: Pick<VisitRequest, 'onScreenshot' | 'onFilmstrip'> = {},
): Promise<Measured> {
  await session.prepare();
  const jpegs: Uint8Array[] = [];
  const onFilmstrip: VisitRequest['onFilmstrip'] = (taken) => {
    if (taken.kind === 'absent') throw new Error(`A Visit has no filmstrip: ${taken.reason}`);
    jpegs.push(...taken.frames.map(({ jpeg }) => jpeg));
  };
  const outcome = await session.visit({
    url: `${origin.httpUrl}/images/30`,
    signal: new AbortController().signal,
    onFilmstrip,
    ...receivers,
  });
  if (outcome.status === 'failed') throw new Error(`A Visit failed: ${outcome.detail}`);
  const afterwardsMs = epochClock() - outcome.snapshot.takenEpochMs;
  const total = deriveReadings(outcome.snapshot).find(({ metric }) => metric === 'totalMs');
  if (total?.kind !== 'measured') throw new Error('A Visit has no total latency');
  return {
    totalMs: total.value,
    snapshotBytes: JSON.stringify(outcome.snapshot).length,
    afterwardsMs,
    frames: jpegs.length,
    frameBytes: jpegs.reduce((sum, { length }) => sum + length, 0),
  };
}

const arms = {
  plain: () => measure(plain),
  headers: () => measure(recording),
  screenshot: () => measure(picturing, { onScreenshot: () => undefined }),
  filmstrip: () => measure(filming),
};
type Arm = keyof typeof arms;
/** A Latin square in which each follows each other once. */
const orders: Arm[][] = [
  ['plain', 'headers', 'filmstrip', 'screenshot'],
  ['headers', 'screenshot', 'plain', 'filmstrip'],
  ['screenshot', 'filmstrip', 'headers', 'plain'],
  ['filmstrip', 'plain', 'screenshot', 'headers'],
];
const measured: Record<Arm, Measured[]> = { plain: [], headers: [], screenshot: [], filmstrip: [] };
for (let turn = -unmeasuredTurns; turn < turnCount; turn++) {
  for (const arm of orders[(turn + unmeasuredTurns) % orders.length]!) {
    const result = await arms[arm]();
    if (turn >= 0) measured[arm].push(result);
  }
}

const describe = ({ median, low, high }: ReturnType<typeof estimateMedian>, decimals = 1) => ({
  median: median.toFixed(decimals),
  '95 % interval': `${low.toFixed(decimals)} … ${high.toFixed(decimals)}`,
});
const values = (arm: Arm, field: keyof Measured) => measured[arm].map((each) => each[field]);
const differences = (arm: Arm, field: keyof Measured) =>
  estimateMedian(values(arm, field).map((value, turn) => value - measured.plain[turn]![field]));
const ratios = (arm: Arm) =>
  estimateMedian(values(arm, 'totalMs').map((value, turn) => value / measured.plain[turn]!.totalMs));
console.log(`A page of 30 images, ${turnCount} turns`);
console.table({
  'total latency as it is, ms': describe(estimateMedian(values('plain', 'totalMs'))),
  'more with headers recorded, ms': describe(differences('headers', 'totalMs')),
  'more with screenshots taken, ms': describe(differences('screenshot', 'totalMs')),
  'more with filmstrips made, ms': describe(differences('filmstrip', 'totalMs')),
  'total latency with headers recorded / as it is': describe(ratios('headers'), 3),
  'total latency with screenshots taken / as it is': describe(ratios('screenshot'), 3),
  'total latency with filmstrips made / as it is': describe(ratios('filmstrip'), 3),
  'Snapshot as it is, bytes': describe(estimateMedian(values('plain', 'snapshotBytes'))),
  'Snapshot with headers, bytes': describe(estimateMedian(values('headers', 'snapshotBytes'))),
  'after a Visit as it is, ms': describe(estimateMedian(values('plain', 'afterwardsMs'))),
  'more after one with a screenshot, ms': describe(differences('screenshot', 'afterwardsMs')),
  'more after one with a filmstrip, ms': describe(differences('filmstrip', 'afterwardsMs')),
  'frames of a filmstrip': describe(estimateMedian(values('filmstrip', 'frames'))),
  'filmstrip, bytes': describe(estimateMedian(values('filmstrip', 'frameBytes'))),
});
