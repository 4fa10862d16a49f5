import { tmpdir } from 'node:os';
import type { Engine, EngineSession } from '#agent/engines/engine.ts';
import { openChromeEngine, openFirefoxEngine } from '#agent/engines/open-engines.ts';
import { makeOwnFolder, removeAbandonedFolders } from '#agent/own-folder.ts';
import { AppError } from '#core/app-error.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { splitJourney, type JourneyLeg } from '#core/evaluation/journey/journey.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { VisitUrlSchema } from '#core/evaluation/pages/visit-url.ts';
import { writeSite } from '#site/write-site.ts';
import { openRecorder, type Recorder } from '#testbed/recorder/open-recorder.ts';
import { chromeKind, firefoxKind } from '../browser/browser-kinds.ts';
import { readRecording } from '../evaluate/evaluate-file.ts';
import { findBrowser } from '../find-browser.ts';
import { findHome, readVersion } from '../installation.ts';
import { refuseExisting } from '../new-file.ts';
import { showPlainly } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { makeRecordedSite, type VisitedPage } from './make-recorded-site.ts';
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

/** Longer than that of an Evaluation: a recording is made once. */
const timeoutMs = 60_000;
const mostListed = 3;

/** What is visited, once in each turn. */
interface PlannedPage {
  url: string;
  leg?: JourneyLeg;
}

/** Loads each page so many times, and writes what came. Throws `invalid-input`, `browser-missing`, `recording-failed` and `too-large`; then there is no file. */
export async function recordSite(urls: string[], options: RecordOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const pages = await planPages(urls, options.journey);
  await refuseExisting(options.to);
  const engine = await openEngine(options.engine, interrupts.signal);
  await removeAbandonedFolders(tmpdir(), 'recording');
  await using folder = await makeOwnFolder(tmpdir(), 'recording');
  await using recorder = await openRecorder({
    folder: folder.path,
    trustedKeys: options.trustedKey,
    readEpochMs: epochClock,
  });
  const signal = AbortSignal.any([interrupts.signal, recorder.failed]);
  const visited = await visitAll(pages, { engine, recorder, visits: options.visits, signal });
  await recorder.settle();
  signal.throwIfAborted();
  const recorded = makeRecordedSite(visited, {
    recording: recorder.recording,
    software: `HTTP-AE ${readVersion()}`,
    engine: engine.browserVersion,
  });
  await refuseExisting(options.to);
  const { keepSecrets = false } = options;
  const site = await writeSite(options.to, recorded, { keepsSecrets: keepSecrets, nowEpochMs: epochClock(), signal });
  reportIncomplete(recorder.recording.incomplete);
  printSite(site, options);
}

/** Every URL, then every navigation of the journey. */
async function planPages(urls: string[], journey: string | undefined): Promise<PlannedPage[]> {
  for (const url of urls) {
    const { error } = VisitUrlSchema.safeParse(url);
    if (error) throw new AppError('invalid-input', `${url}: ${error.issues[0]!.message}`);
  }
  const legs = journey === undefined ? [] : splitJourney(await readRecording(journey));
  const pages = [...urls.map((url) => ({ url })), ...legs.map(({ leg, address }) => ({ url: address, leg }))];
  if (pages.length === 0)
    throw new AppError('invalid-input', 'There is no page to record: name a URL, or --journey FILE');
  return pages;
}

async function openEngine(name: RecordOptions['engine'], signal: AbortSignal): Promise<Engine> {
  const { env: environment, platform } = process;
  const search = { environment, platform, homeFolder: findHome(environment), say, signal };
  const executablePath = await findBrowser(search, name === 'chrome' ? chromeKind : firefoxKind);
  const options = { executablePath, log: { warn: say } };
  return name === 'chrome' ? openChromeEngine(options) : openFirefoxEngine(options);
}

async function visitAll(
  pages: readonly PlannedPage[],
  { engine, recorder, visits, signal }: { engine: Engine; recorder: Recorder; visits: number; signal: AbortSignal },
): Promise<VisitedPage[]> {
  await using session = await engine.open({
    pageLoad: PageLoadSchema.parse({ timeoutMs }),
    browser: BrowserSettingsSchema.parse({ proxy: recorder.proxyUrl, trustedKeys: [recorder.trustedKey] }),
    urls: pages.map(({ url }) => url),
    signal,
  });
  const visited: VisitedPage[] = pages.map(({ url, leg }) => ({ url: leg ? null : url, visits: [] }));
  for (let visit = 1; visit <= visits; visit++) {
    for (const [index, page] of pages.entries()) {
      say(`Visit ${visit} of ${visits}: ${page.url}`);
      visited[index]!.visits.push(await visitPage(page, { number: index + 1, visit, session, recorder, signal }));
    }
  }
  return visited;
}

async function visitPage(
  { url, leg }: PlannedPage,
  {
    number,
    visit,
    session,
    recorder,
    signal,
  }: { number: number; visit: number; session: EngineSession; recorder: Recorder; signal: AbortSignal },
): Promise<VisitedPage['visits'][number]> {
  const { recording, unreachable } = recorder;
  let startEpochMs = 0;
  const onNavigate = () => (startEpochMs = recording.beginVisit({ page: number, visit }));
  const outcome = await session.visit({ url, ...(leg && { leg }), signal, onNavigate });
  recording.endVisit();
  signal.throwIfAborted();
  if (outcome.status === 'ok') {
    const { snapshot } = outcome;
    if (!snapshot.settled) say(`${url} was still loading after ${timeoutMs / 1000} s: what came later is not recorded`);
    return { startEpochMs, snapshot };
  }
  const host = URL.parse(url)?.hostname ?? '';
  const why = unreachable.get(host) ?? `${outcome.detail} (${outcome.code})`;
  throw new AppError('recording-failed', `${url} cannot be recorded: ${why}. No file was written`);
}

function reportIncomplete(incomplete: ReadonlyMap<string, string>): void {
  if (incomplete.size === 0) return;
  const listed = [...incomplete].slice(0, mostListed).map(([url, why]) => `  ${url}: ${why}`);
  const more = incomplete.size > mostListed ? [`  and ${incomplete.size - mostListed} more`] : [];
  say([`Left out, as no complete answer came:`, ...listed, ...more].join('\n'));
}

function say(text: string): void {
  process.stderr.write(`${text.split('\n').map(showPlainly).join('\n')}\n`);
}
