import { deriveReadings, type MetricId } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { SitePage } from '#core/site/site.ts';
import type { RecordedExchange, RecordedSite } from '#site/write-site.ts';
import type { Recording } from '#testbed/recorder/recording.ts';

export interface VisitedPage {
  /** Null where the page is where a step of a journey led to. */
  url: string | null;
  /** At least one. */
  visits: { startEpochMs: number; snapshot: Snapshot }[];
}

const longestTitle = 200;

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
      visits: visits.map(({ startEpochMs, snapshot }) => ({ startEpochMs, engine, ...readLatencies(snapshot) })),
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
