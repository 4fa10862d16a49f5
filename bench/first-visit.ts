import { openChromeEngine, openFirefoxEngine } from '#agent/engines/open-engines.ts';
import type { Engine, EngineSession } from '#agent/engines/engine.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { findFirefox } from '#tests/browser/support/find-firefox.ts';
import { estimateMedian } from './support/interval-of-median.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * How much longer the first Visits of a Pass take because its browser is new: a fresh browser each time, and in it Visits of one page of 10 images, cold, one after the other; each beside the
 * last ones of the same browser: `npm run build:probe && node bench/first-visit.ts [BROWSERS]`.
 */
const browserCount = Number(process.argv[2] ?? 20);
const visitCount = 8;
const settled = [5, 6, 7];

await using origin = await startOriginProcess();
const pageLoad = PageLoadSchema.parse({ restMs: 400, quietMs: 200 });

async function measure(session: EngineSession): Promise<{ baseMs: number; totalMs: number }> {
  await session.prepare();
  const outcome = await session.visit({ url: `${origin.httpUrl}/images/10`, signal: new AbortController().signal });
  if (outcome.status === 'failed') throw new Error(`A Visit failed: ${outcome.detail}`);
  const readings = deriveReadings(outcome.snapshot);
  const read = (name: string) => {
    const reading = readings.find(({ metric }) => metric === name);
    if (reading?.kind !== 'measured') throw new Error(`A Visit has no ${name}`);
    return reading.value;
  };
  return { baseMs: read('baseMs'), totalMs: read('totalMs') };
}

async function measureEngine(engine: Engine): Promise<void> {
  const browsers: { baseMs: number; totalMs: number }[][] = [];
  for (let browser = 0; browser < browserCount; browser++) {
    await using session = await engine.open({ pageLoad, browser: BrowserSettingsSchema.parse({}) });
    const visits = [];
    for (let visit = 0; visit < visitCount; visit++) visits.push(await measure(session));
    browsers.push(visits);
  }
  console.log(`${engine.name} ${engine.browserVersion}, ${browserCount} browsers`);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const row = (visit: number, metric: 'baseMs' | 'totalMs') => {
    const { median, low, high } = estimateMedian(
      browsers.map((visits) => visits[visit]![metric] - mean(settled.map((index) => visits[index]![metric]))),
    );
    return `${median.toFixed(1)} (${low.toFixed(1)} … ${high.toFixed(1)})`;
  };
  const last = (metric: 'baseMs' | 'totalMs') =>
    estimateMedian(browsers.flatMap((visits) => settled.map((index) => visits[index]![metric]))).median.toFixed(1);
  console.table(
    Object.fromEntries([
      ...Array.from({ length: settled[0]! }, (_, visit) => [
        `Visit ${visit + 1}: more than the last, ms`,
        { base: row(visit, 'baseMs'), total: row(visit, 'totalMs') },
      ]),
      ['the last, ms', { base: last('baseMs'), total: last('totalMs') }],
    ]),
  );
}

await measureEngine(await openChromeEngine({ executablePath: findChrome() }));
await measureEngine(await openFirefoxEngine({ executablePath: findFirefox() }));
