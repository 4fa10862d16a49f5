import { sleep as sleepUnlessAborted } from '#core/clock/time.ts';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntilSettled } from '#core/agent/wait-until-settled.ts';
import { launchBrowser } from '#agent/engines/chrome/launch-browser.ts';
import { openPage } from '#agent/engines/chrome/open-chrome-page.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { estimateMedian } from './support/interval-of-median.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * What the probe costs the page: its load event with the probe and without it, in turn in the same browser, on a page of 30
 * images: `npm run build:probe && node bench/probe-cost.ts [PAIRS]`. The engine's network events are on in both.
 */
const pairCount = Number(process.argv[2] ?? 60);
const unmeasuredPairs = 3;

const probeSource = await readFile(new URL('../probe/dist/page-probe.js', import.meta.url), 'utf8');
await using origin = await startOriginProcess();
await using browser = await launchBrowser({
  executablePath: findChrome(),
  browser: BrowserSettingsSchema.parse({}),
  answerWithinMs: 60_000,
});

async function measureLoadEvent(source: string): Promise<number> {
  const { browserContextId: contextId } = await browser.session.send('Target.createBrowserContext', {});
  const pageLoad = { viewport: { widthPx: 1366, heightPx: 768 } };
  await using page = await openPage(browser, {
    contextId,
    isContextKept: false,
    usedConnections: new Set(),
    pageLoad,
    browser: {},
    probeSource: source,
    nowEpochMs: epochClock,
  });
  await sleep(400);
  await page.main.send('Page.navigate', { url: `${origin.httpUrl}/images/30` });
  await waitUntilSettled({
    recorder: page.recorder,
    quietMs: 200,
    isIdle: () => Promise.resolve(true),
    sleep: sleepUnlessAborted,
    signal: page.lost,
  });
  const expression = 'performance.getEntriesByType("navigation")[0].loadEventStart';
  const { result } = await page.main.send('Runtime.evaluate', { expression, returnByValue: true });
  return Number(result.value);
}

const withProbe: number[] = [];
const withoutProbe: number[] = [];
for (let pair = -unmeasuredPairs; pair < pairCount; pair++) {
  const isProbeFirst = pair % 2 === 0;
  const first = await measureLoadEvent(isProbeFirst ? probeSource : '');
  const second = await measureLoadEvent(isProbeFirst ? '' : probeSource);
  if (pair < 0) continue;
  withProbe.push(isProbeFirst ? first : second);
  withoutProbe.push(isProbeFirst ? second : first);
}

const describe = ({ median, low, high }: ReturnType<typeof estimateMedian>, digits: number) => ({
  median: median.toFixed(digits),
  '95 % interval': `${low.toFixed(digits)} … ${high.toFixed(digits)}`,
});
console.log(`Load event of a page of 30 images, ${pairCount} pairs`);
console.table({
  'without probe, ms': describe(estimateMedian(withoutProbe), 1),
  'with probe, ms': describe(estimateMedian(withProbe), 1),
  'difference in a pair, ms': describe(
    estimateMedian(withProbe.map((value, index) => value - withoutProbe[index]!)),
    1,
  ),
  'ratio in a pair': describe(estimateMedian(withProbe.map((value, index) => value / withoutProbe[index]!)), 3),
});
