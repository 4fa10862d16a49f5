import type { EngineSession, EngineSettings } from '#agent/engines/engine.ts';
import { AppError } from '#core/app-error.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { lastMarkOf, type JourneyLeg } from '#core/evaluation/journey/journey.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { deriveReadings, type MetricId } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { SitePage } from '#core/site/site.ts';
import type { RecordedExchange, RecordedSite } from '#site/write-site.ts';
import { openRecorder, type Recorder, type RecorderOptions } from '#testbed/recorder/open-recorder.ts';
import type { Recording } from '#testbed/recorder/recording.ts';

/** Longer than that of an Evaluation: a recording is made once. */
const timeoutMs = 60_000;
const longestTitle = 200;

/** What is visited, once in each turn. */
export interface PlannedPage {
  url: string;
  leg?: JourneyLeg;
}

export interface VisitedPage {
  /** Null where the page is where a step of a journey led to. */
  url: string | null;
  /** At least one. */
  visits: { startEpochMs: number; snapshot: Snapshot; webSockets: string[] }[];
}

interface RecordPagesOptions extends Pick<RecorderOptions, 'folder' | 'trustedKeys' | 'connectTo'> {
  /** A browser with these settings. */
  open: (settings: Pick<EngineSettings, 'pageLoad' | 'browser'>) => Promise<EngineSession>;
  visits: number;
  software: string;
  say: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Visits each page so many times, in turns, each with an empty cache. A visit before these is not recorded: what browser and recorder do for the first time, such as certificates, would count as
 * think time. Throws `recording-failed` where a page does not load, and `too-large`.
 */
export async function recordPages(
  pages: readonly PlannedPage[],
  { open, folder, trustedKeys, connectTo, software, ...options }: RecordPagesOptions,
): Promise<{ recorded: RecordedSite; incomplete: ReadonlyMap<string, string> }> {
  await using recorder = await openRecorder({ folder, trustedKeys, connectTo, readEpochMs: epochClock });
  const signal = AbortSignal.any([options.signal, recorder.failed]);
  await using session = await open({
    pageLoad: PageLoadSchema.parse({ timeoutMs }),
    browser: BrowserSettingsSchema.parse({ proxy: recorder.proxyUrl, trustedKeys: [recorder.trustedKey] }),
  });
  const visited = await visitAll(pages, { ...options, session, recorder, signal });
  const { recording } = recorder;
  const recorded = makeRecordedSite(visited, { recording, software, engine: session.browserVersion });
  return { recorded, incomplete: recording.incomplete };
}

/** The number of the visits that are not recorded. */
const warmUp = 0;

interface Surroundings extends Pick<RecordPagesOptions, 'say' | 'signal'> {
  session: EngineSession;
  recorder: Recorder;
}

async function visitAll(
  pages: readonly PlannedPage[],
  { visits, ...surroundings }: { visits: number } & Surroundings,
): Promise<VisitedPage[]> {
  const visited: VisitedPage[] = pages.map(({ url, leg }) => ({ url: leg ? null : url, visits: [] }));
  for (let visit = warmUp; visit <= visits; visit++) {
    for (const [index, page] of pages.entries()) {
      surroundings.say(visit === warmUp ? `Warming up: ${page.url}` : `Visit ${visit} of ${visits}: ${page.url}`);
      const result = await visitPage(page, { ...surroundings, number: index + 1, visit });
      if (visit !== warmUp) visited[index]!.visits.push(result);
    }
  }
  return visited;
}

async function visitPage(
  { url, leg }: PlannedPage,
  { number, visit, session, recorder, say, signal }: { number: number; visit: number } & Surroundings,
): Promise<VisitedPage['visits'][number]> {
  const { recording, unreachable } = recorder;
  let startEpochMs = 0;
  const onNavigate = () => {
    if (visit !== warmUp) startEpochMs = recording.beginVisit({ page: number, visit });
  };
  const ofJourney = leg && { leg, untilMark: lastMarkOf(leg) };
  const outcome = await session.visit({ url, ...ofJourney, signal, onNavigate });
  // The next Visit of a journey has the tab, and its connections.
  if (leg === undefined || leg.number === leg.of) await recorder.settle();
  recording.endVisit();
  signal.throwIfAborted();
  if (outcome.status === 'ok') {
    const { snapshot } = outcome;
    if (!snapshot.settled) say(`${url} was still loading after ${timeoutMs / 1000} s: what came later is not recorded`);
    return { startEpochMs, snapshot, webSockets: recording.webSocketsOf({ page: number, visit }) };
  }
  const host = URL.parse(url)?.hostname ?? '';
  const why = unreachable.get(host) ?? `${outcome.detail} (${outcome.code})`;
  throw new AppError('recording-failed', `${url} cannot be recorded: ${why}. No file was written`);
}

/** What the recorder saw, with what the browser knows of it: titles, latencies, and which object led to which. */
export function makeRecordedSite(
  visited: readonly VisitedPage[],
  {
    recording: { hosts, exchanges },
    software,
    engine,
  }: { recording: Pick<Recording, 'hosts' | 'exchanges'>; software: string; engine: string },
): RecordedSite {
  const pages = visited.map(({ url, visits }, index): SitePage => {
    const main = visits[0]!.snapshot.frames.find(({ path }) => path.length === 0)!;
    return {
      number: index + 1,
      url: url ?? main.url,
      title: main.title,
      visits: visits.map(({ startEpochMs, snapshot, webSockets }) => ({
        startEpochMs,
        engine,
        ...readLatencies(snapshot),
        ...(webSockets.length > 0 && { webSockets }),
      })),
    };
  });
  return {
    title: (pages[0]!.title || new URL(pages[0]!.url).hostname).slice(0, longestTitle),
    software,
    recordedEpochMs: visited[0]!.visits[0]!.startEpochMs,
    hosts,
    pages,
    exchanges: visited.flatMap(({ visits }, index) =>
      visits.flatMap(({ snapshot }, turn) =>
        addInitiators(
          exchanges.filter(({ page, visit }) => page === index + 1 && visit === turn + 1),
          snapshot,
        ),
      ),
    ),
  };
}

/** In the order of their starts. */
function addInitiators(exchanges: readonly RecordedExchange[], { requests }: Snapshot): RecordedExchange[] {
  const initiators = new Map(requests.map(({ url, initiatorUrl }) => [withoutFragment(url), initiatorUrl]));
  return exchanges
    .map((exchange) => ({ ...exchange, initiatorUrl: asInitiator(initiators.get(exchange.url)) }))
    .sort((one, other) => one.startMs - other.startMs);
}

/** Only of the network: a page can come from elsewhere, such as `blob:`. */
function asInitiator(url: string | null | undefined): string | null {
  return url && /^https?:\/\//.test(url) ? withoutFragment(url) : null;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*/s, '');
}

function readLatencies(snapshot: Snapshot): Pick<SitePage['visits'][number], 'baseMs' | 'viewportMs' | 'totalMs'> {
  const readings = deriveReadings(snapshot);
  const valueOf = (id: MetricId) => {
    const reading = readings.find(({ metric }) => metric === id);
    return reading?.kind === 'measured' ? reading.value : null;
  };
  return { baseMs: valueOf('baseMs'), viewportMs: valueOf('viewportMs'), totalMs: valueOf('totalMs') };
}
