import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { installPeer } from './install-peer.ts';

export const browsertimeVersion = '26.3.2';

const ResultSchema = z.array(
  z.object({
    fullyLoaded: z.array(z.number()),
    browserScripts: z.array(
      z.object({
        timings: z.object({
          pageTimings: z.object({ pageLoadTime: z.number() }),
          navigationTiming: z.object({ requestStart: z.number() }),
        }),
      }),
    ),
  }),
);

/** From navigation start. */
export interface BrowsertimeResult {
  loadEventMs: number;
  fullyLoadedMs: number;
  requestStartMs: number;
}

/** One cold load in a new headless browser, without video. `main`: what `installBrowsertime` gave. */
export async function runBrowsertime(main: string, url: string): Promise<BrowsertimeResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-bench-'));
  try {
    const options = [
      '-n',
      '1',
      '-b',
      'chrome',
      '--headless',
      '--chrome.binaryPath',
      findChrome(),
      '--chrome.chromedriverPath',
      'chromedriver',
      '--chrome.args',
      'no-sandbox',
    ];
    const child = spawn(
      process.execPath,
      [main, ...options, '--video', 'false', '--visualMetrics', 'false', '--resultDir', folder, url],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    if (exitCode !== 0) throw new Error(`browsertime ended with status ${exitCode}`);
    const [result] = ResultSchema.parse(JSON.parse(await readFile(path.join(folder, 'browsertime.json'), 'utf8')));
    const { pageTimings, navigationTiming } = result!.browserScripts[0]!.timings;
    return {
      loadEventMs: pageTimings.pageLoadTime,
      fullyLoadedMs: result!.fullyLoaded[0]!,
      requestStartMs: navigationTiming.requestStart,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Its drivers are not fetched: chromedriver is the system's. Gives the path of its program. */
export async function installBrowsertime(): Promise<string> {
  if (spawnSync('chromedriver', ['--version']).status !== 0)
    throw new Error('browsertime needs chromedriver on the PATH: apt-get install chromium-driver');
  const folder = await installPeer({ name: 'browsertime', version: browsertimeVersion });
  return path.join(folder, 'bin', 'browsertime.js');
}
