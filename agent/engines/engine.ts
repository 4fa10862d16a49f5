import type { Time } from '#core/clock/time.ts';
import type { JourneyLeg } from '#core/evaluation/journey/journey.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { Setting } from '#core/evaluation/browser/engine-settings.ts';
import type { Engine as EngineName } from '#core/evaluation/users/user-agent.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { ReplayedPage } from '#core/metrics/snapshot.ts';
import type { OsUser } from '../users/find-os-user.ts';

/** What loads pages for User Agents. */
export interface Engine {
  readonly name: EngineName;
  /** As the browser reports it, such as `Chrome/140.0.7339.80`. */
  readonly browserVersion: string;
  /** What of a Scenario it obeys here; left out where it is the same on all hosts. */
  readonly settings?: readonly Setting[];
  /** Starts one browser of its own and warms it, so that the first Visit is like the others. Throws an AppError when it does not start. */
  open(settings: EngineSettings): Promise<EngineSession>;
}

export interface EngineSettings {
  pageLoad: PageLoad;
  browser: BrowserSettings;
  /** What `protocols` is about: the URLs that are to be visited, or the origins of them. */
  urls?: readonly string[];
  /** Whether the headers of requests are recorded, for HARs; without the values of secret ones. */
  recordsHeaders?: boolean;
  /** Whether the viewport is filmed from before each Visit; an engine that cannot says so in the Visit. */
  filmsViewport?: boolean;
  /** Whether the time of the page's main thread is recorded; an engine that cannot leaves it out. */
  recordsMainThread?: boolean;
  /** Whom the browser runs as; as the Agent when left out. */
  osUser?: OsUser;
  /** Gives up opening; to end what is open, dispose of the session. */
  signal?: AbortSignal;
}

/** One browser that loads pages one after the other. Disposing of it ends its processes and removes its files. */
export interface EngineSession extends AsyncDisposable {
  readonly browserVersion: string;
  /** Null while no browser runs: it died or was ended, and the next Visit starts another. */
  readonly processId: number | null;
  /** Makes ready what the next Visit needs, its rest included, so that it then loads at once. Each Visit does it where this was not called. `next`: as in its request, as far as it is known. */
  prepare(next?: Partial<VisitRequest>): Promise<void>;
  /** Loads one page. What goes wrong with page, network or browser is an outcome, never an exception. */
  visit(request: VisitRequest): Promise<VisitOutcome>;
}

export interface VisitRequest {
  url: string;
  /** The User Timing mark of the page that it waits for. */
  untilMark?: string | undefined;
  /** Left out where the page is none of a recorded Site. */
  replay?: ReplayedPage | undefined;
  /** Of a Visit of a journey: all but the first begin where the one before ended. */
  leg?: JourneyLeg | undefined;
  /** The least rest before it, in ms; as `pageLoad` says when left out. */
  restMs?: number | undefined;
  /** Aborting it ends the browser at once; the outcome is `aborted`. */
  signal: AbortSignal;
  /** Called with the wall clock just before the order to load. */
  onNavigate?: (epochMs: number) => void;
  /** Called with a picture of the viewport after the page was measured, where there was a page; none is taken when left out. */
  onScreenshot?: (screenshot: TakenScreenshot) => void;
  /** Called with what the viewport showed while the page loaded, where there was a page and `filmsViewport` was asked for. */
  onFilmstrip?: (filmstrip: TakenFilmstrip) => void;
}

/** What `FilmstripSchema` says, with the pictures themselves. */
export type TakenFilmstrip =
  | { kind: 'taken'; frames: { shownEpochMs: number; jpeg: Uint8Array }[]; leftOut: number; isLastLate: boolean }
  | { kind: 'absent'; reason: string };

export type TakenScreenshot = { kind: 'taken'; jpeg: Uint8Array } | { kind: 'absent'; reason: string };

export interface EngineLog {
  warn(message: string): void;
}

/** Soon enough for a person who has just installed one. A look costs a few questions to the file system. */
const lookEveryMs = 30_000;

/** Finds an engine that was not there at the start, and opens it; null where there is still none. */
export type LookForEngine = () => Promise<Engine | null>;

interface Waiting {
  /** Whether nothing is measured, which the start of a browser would disturb. */
  mayLook: () => boolean;
  sleep: Time['sleep'];
  log: EngineLog;
  signal: AbortSignal;
}

/** Looks now and then for an engine, until there is one, or the signal aborts: then null. One that does not start is logged, and looked for further. */
export async function awaitEngine(
  look: LookForEngine,
  { mayLook, sleep, log, signal }: Waiting,
): Promise<Engine | null> {
  for (;;) {
    try {
      await sleep(lookEveryMs, signal);
    } catch {
      return null;
    }
    if (!mayLook()) continue;
    try {
      const found = await look();
      if (signal.aborted) return null;
      if (found) return found;
    } catch (error) {
      if (signal.aborted) return null;
      log.warn((error as Error).message);
    }
  }
}
