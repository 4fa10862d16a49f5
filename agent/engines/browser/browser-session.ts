import { setTimeout as sleep } from 'node:timers/promises';
import { lastsForPass, type PageLoad } from '#core/evaluation/pages/page-load.ts';
import { unlessAborted } from '#core/waiting.ts';
import { VisitRest } from '#core/metrics/visit-rest.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { EngineLog, EngineSession, EngineSettings, VisitRequest } from '../engine.ts';
import type { BrowserPage } from './browser-page.ts';
import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import { holdToProtocols } from './hold-to-protocols.ts';
import { readFailure } from './navigation-failure.ts';
import { visitPage } from './visit-page.ts';

export interface BrowserSessionOptions extends Pick<EngineSettings, 'browser' | 'urls'> {
  pageLoad: PageLoad;
  nowEpochMs: () => number;
  log?: EngineLog;
  /** How long a page may take to be closed before its browser is ended instead; 10 s when left out. */
  closeWithinMs?: number;
  /** Starts a browser. Throws an AppError when it does not start. */
  launch: (signal?: AbortSignal) => Promise<RunningBrowser>;
}

/** The longest that any command to a browser may rightly take, in milliseconds. */
export function readAnswerLimit({ timeoutMs }: Pick<PageLoad, 'timeoutMs'>): number {
  return timeoutMs + 30_000;
}

/** One browser, and in it one context for all Visits, or a new one for each (`cold`). */
export class BrowserSession implements EngineSession {
  readonly #options: BrowserSessionOptions;
  #browser: RunningBrowser;
  #page: BrowserPage | null = null;
  /** Between two Visits of a journey. */
  #journeyPage: BrowserPage | null = null;
  #isJourneyRested = false;
  #keptContextId: string | null = null;
  readonly #rest: VisitRest;
  readonly #closing = new AbortController();

  static async open(options: BrowserSessionOptions, signal?: AbortSignal): Promise<BrowserSession> {
    const session = new BrowserSession(options, await options.launch(signal));
    try {
      await session.#warmUp(signal);
      return session;
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(options: BrowserSessionOptions, browser: RunningBrowser) {
    this.#options = options;
    this.#rest = new VisitRest(options.pageLoad);
    this.#browser = browser;
  }

  get browserVersion(): string {
    return this.#browser.version;
  }

  get processId(): number | null {
    return this.#browser.gone.aborted ? null : this.#browser.processId;
  }

  prepare({ leg, restMs, signal }: Partial<VisitRequest> = {}): Promise<void> {
    const either = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    return continuesJourney(leg) ? this.#restInJourney(restMs, either) : this.#prepare({ restMs, signal: either });
  }

  async visit(request: VisitRequest): Promise<VisitOutcome> {
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    const onAbort = () => void this.#endBrowser();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      const page = await this.#pageFor(request, signal);
      const { leg } = request;
      let staysOpen = false;
      try {
        const visit = { ...this.#options, ...request, signal };
        const outcome = holdToProtocols(await visitPage(page, visit), this.#options);
        this.#rest.note(outcome.snapshot);
        staysOpen = outcome.status === 'ok' && leg !== undefined && leg.number < leg.of;
        return outcome;
      } finally {
        if (staysOpen) this.#journeyPage = page;
        else await this.#closePage(page);
      }
    } catch (error) {
      const failure = readFailure(error, { isAborted: signal.aborted, isBrowserGone: this.#browser.gone.aborted });
      // A fault that the browser could not explain must not reach the next Visit.
      if (signal.aborted || failure.code === 'browser-crashed' || failure.code === 'engine-error')
        await this.#endBrowser();
      return failedOutcome(failure);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('The session is closed'));
    await this.#endBrowser();
  }

  async #prepare({ restMs, signal }: Pick<VisitRequest, 'restMs' | 'signal'>): Promise<void> {
    if (this.#page && !this.#page.lost.aborted) return;
    if (this.#browser.gone.aborted) await this.#relaunch(signal);
    this.#page = await this.#openPage();
    await sleep(this.#rest.before(restMs), undefined, { signal });
  }

  async #openPage(): Promise<BrowserPage> {
    const isKept = lastsForPass(this.#options.pageLoad);
    const contextId = this.#keptContextId ?? (await this.#browser.createContext());
    if (isKept) this.#keptContextId = contextId;
    return this.#browser.openPage({ contextId, isContextKept: isKept });
  }

  /** The tab of the journey where the Visit continues one, and else one of its own. */
  async #pageFor({ leg, restMs }: VisitRequest, signal: AbortSignal): Promise<BrowserPage> {
    const open = this.#journeyPage;
    if (!continuesJourney(leg)) {
      this.#journeyPage = null;
      if (open) await this.#closePage(open);
      await this.#prepare({ restMs, signal });
      return this.#takePage();
    }
    if (!open) throw new VisitFailure('journey-ended', 'An earlier Visit of this journey failed');
    try {
      await this.#restInJourney(restMs, signal);
      open.lost.throwIfAborted();
      return open;
    } catch (error) {
      await this.#closePage(open);
      throw error;
    } finally {
      this.#journeyPage = null;
      this.#isJourneyRested = false;
    }
  }

  async #restInJourney(restMs = this.#options.pageLoad.restMs, signal: AbortSignal): Promise<void> {
    if (!this.#journeyPage || this.#isJourneyRested) return;
    await sleep(restMs, undefined, { signal });
    this.#isJourneyRested = true;
  }

  /** A page may keep its browser so busy that it is closed late or never. Its Visit is over: the browser is ended, and the next Visit has another. */
  async #closePage(page: BrowserPage): Promise<void> {
    const { closeWithinMs = 10_000, log } = this.#options;
    const limit = AbortSignal.timeout(closeWithinMs);
    try {
      await unlessAborted(Promise.resolve(page[Symbol.asyncDispose]()), limit);
    } catch (error) {
      if (!limit.aborted) throw error;
      log?.warn(`A page was not closed within ${closeWithinMs} ms: its browser is ended`);
      await this.#endBrowser();
    }
  }

  #takePage(): BrowserPage {
    const page = this.#page;
    if (!page) throw new Error('No page was prepared');
    this.#page = null;
    return page;
  }

  async #relaunch(signal: AbortSignal): Promise<void> {
    this.#options.log?.warn('The browser was gone: another one is started, with nothing in its cache');
    await this.#endBrowser();
    this.#browser = await this.#options.launch(signal);
    await this.#warmUp(signal);
  }

  /** A browser may start and then answer nothing, as with a setting that it cannot bear. */
  async #warmUp(signal: AbortSignal = this.#closing.signal): Promise<void> {
    await unlessAborted(this.#browser.warmUp(), signal);
  }

  async #endBrowser(): Promise<void> {
    this.#page = null;
    this.#journeyPage = null;
    this.#isJourneyRested = false;
    this.#keptContextId = null;
    await this.#browser[Symbol.asyncDispose]();
  }
}

/** Whether the Visit begins where the one before ended. */
function continuesJourney(leg: VisitRequest['leg']): boolean {
  return leg !== undefined && leg.number > 1;
}

/** One running browser with a profile of its own. Disposing of it ends all its processes and removes its files. */
export interface RunningBrowser extends AsyncDisposable {
  /** As the browser reports it, such as `Chrome/140.0.7339.80`. */
  readonly version: string;
  readonly processId: number;
  /** Aborted once the browser's main process is gone. */
  readonly gone: AbortSignal;
  /** A context shares neither cache nor connections with another. */
  createContext(): Promise<string>;
  /** Does what a browser takes longer for the first time, without the network, so that no Visit is the first. */
  warmUp(): Promise<void>;
  openPage(place: PagePlace): Promise<BrowserPage>;
}

export interface PagePlace {
  contextId: string;
  /** Whether the context outlives the page. */
  isContextKept: boolean;
}
