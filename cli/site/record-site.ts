import { tmpdir } from 'node:os';
import type { Engine } from '#agent/engines/engine.ts';
import { openChromeEngine, openFirefoxEngine } from '#agent/engines/open-engines.ts';
import { makeOwnFolder, removeAbandonedFolders } from '#agent/own-folder.ts';
import { AppError } from '#core/app-error.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { splitJourney } from '#core/evaluation/journey/journey.ts';
import { VisitUrlSchema } from '#core/evaluation/pages/visit-url.ts';
import { mostPages } from '#core/site/site.ts';
import { writeSite } from '#site/write-site.ts';
import { chromeKind, firefoxKind } from '../browser-kinds.ts';
import { readRecording } from '../evaluate/evaluate-file.ts';
import { findBrowser } from '../find-browser.ts';
import { findHome, readVersion } from '../installation.ts';
import { refuseExisting, requireWritable } from '../new-file.ts';
import { showPlainly } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { recordPages, type PlannedPage } from './record-pages.ts';
import { printSite } from './show-site.ts';

export interface RecordOptions {
  to: string;
  engine: 'chrome' | 'firefox';
  journey?: string;
  visits: number;
  keepSecrets?: true;
  trustedKey: string[];
  json?: true;
}

const mostListed = 3;

/** Loads each page so many times, and writes what came. Throws `invalid-input`, `browser-missing`, `recording-failed` and `too-large`; then there is no file. */
export async function recordSite(urls: string[], options: RecordOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const pages = await planPages(urls, options.journey);
  await refuseExisting(options.to);
  await requireWritable(options.to);
  const engine = await openEngine(options.engine, interrupts.signal);
  await removeAbandonedFolders(tmpdir(), 'recording');
  await using folder = await makeOwnFolder(tmpdir(), 'recording');
  const { recorded, incomplete } = await recordPages(pages, {
    open: (settings) => engine.open({ ...settings, urls: pages.map(({ url }) => url), signal: interrupts.signal }),
    folder: folder.path,
    visits: options.visits,
    trustedKeys: options.trustedKey,
    software: `HTTP-AE ${readVersion()}`,
    say,
    signal: interrupts.signal,
  });
  await refuseExisting(options.to);
  const { keepSecrets = false } = options;
  const site = await writeSite(options.to, recorded, {
    keepsSecrets: keepSecrets,
    nowEpochMs: epochClock(),
    signal: interrupts.signal,
  });
  reportIncomplete(incomplete);
  printSite(site, options);
}

/** Every URL, then every navigation of the journey. */
async function planPages(urls: string[], journey: string | undefined): Promise<PlannedPage[]> {
  for (const url of urls) {
    const { error } = VisitUrlSchema.safeParse(url);
    if (error) throw new AppError('invalid-input', `${url}: ${error.issues[0]!.message}`);
  }
  const legs = journey === undefined ? [] : splitJourney(await readRecording(journey));
  // As a browser reads it: a Site has no white space before an address, for example.
  const pages = [
    ...urls.map((url) => ({ url: new URL(url).href })),
    ...legs.map(({ leg, address }) => ({ url: address, leg })),
  ];
  if (pages.length === 0)
    throw new AppError('invalid-input', 'There is no page to record: name a URL, or --journey FILE');
  if (pages.length > mostPages)
    throw new AppError('invalid-input', `There are ${pages.length} pages: a recording has at most ${mostPages}`);
  return pages;
}

async function openEngine(name: RecordOptions['engine'], signal: AbortSignal): Promise<Engine> {
  const { env: environment, platform } = process;
  const search = { environment, platform, homeFolder: findHome(environment), say, signal };
  const executablePath = await findBrowser(search, name === 'chrome' ? chromeKind : firefoxKind);
  const options = { executablePath, log: { warn: say } };
  return name === 'chrome' ? openChromeEngine(options) : openFirefoxEngine(options);
}

function reportIncomplete(incomplete: ReadonlyMap<string, string>): void {
  if (incomplete.size === 0) return;
  const listed = [...incomplete].slice(0, mostListed).map(([url, why]) => `  ${url}: ${why}`);
  const more = incomplete.size > mostListed ? [`  and ${incomplete.size - mostListed} more`] : [];
  say(['Left out:', ...listed, ...more].join('\n'));
}

function say(text: string): void {
  process.stderr.write(`${text.split('\n').map(showPlainly).join('\n')}\n`);
}
