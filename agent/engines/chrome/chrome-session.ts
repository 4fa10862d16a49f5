import { setTimeout as sleep } from 'node:timers/promises';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { EngineSession, EngineSettings, VisitRequest } from '../engine.ts';
import type { ChromeEngineOptions } from './chrome-engine.ts';
import { launchBrowser, type BrowserProcess, type LaunchOptions } from './launch-browser.ts';
import { openPage, type ChromePage } from './open-page.ts';
import { failedOutcome, readFailure } from './visit-failure.ts';
import { visitPage } from './visit-page.ts';

export interface ChromeSessionOptions extends ChromeEngineOptions, Omit<EngineSettings, 'signal'> {
  probeSource: string;
  nowEpochMs: () => number;
}

/** One browser, and in it one context for all Visits (`warm`) or a new one for each (`cold`). */
export class ChromeSession implements EngineSession {
  readonly #options: ChromeSessionOptions;
  #browser: BrowserProcess;
  #page: ChromePage | null = null;
  #warmContextId: string | null = null;
  readonly #closing = new AbortController();

  static async open(options: ChromeSessionOptions, signal?: AbortSignal): Promise<ChromeSession> {
    const session = new ChromeSession(options, await launchBrowser(describeLaunch(options), signal));
    try {
      await session.#warmUp();
      signal?.throwIfAborted();
      return session;
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(options: ChromeSessionOptions, browser: BrowserProcess) {
    this.#options = options;
    this.#browser = browser;
  }

  get browserVersion(): string {
    return this.#browser.version;
  }

  get processId(): number | null {
    return this.#browser.gone.aborted ? null : this.#browser.processId;
  }

  prepare(): Promise<void> {
    return this.#prepare(this.#closing.signal);
  }

  async visit(request: VisitRequest): Promise<VisitOutcome> {
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    const onAbort = () => void this.#endBrowser();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      await this.#prepare(signal);
      await using page = this.#takePage();
      return await visitPage(page, { ...this.#options, ...request, signal });
    } catch (error) {
      const failure = readFailure(error, { isAborted: signal.aborted, isBrowserGone: this.#browser.gone.aborted });
      // Whatever the browser could not explain must not reach the next Visit.
      if (signal.aborted || failure.code === 'browser-crashed' || failure.code === 'engine-error') await this.#endBrowser();
      return failedOutcome(failure);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('The session is closed'));
    await this.#endBrowser();
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    if (this.#page && !this.#page.lost.aborted) return;
    if (this.#browser.gone.aborted) await this.#relaunch(signal);
    this.#page = await this.#openPage();
    await sleep(this.#options.pageLoad.restMs, undefined, { signal });
  }

  async #openPage(): Promise<ChromePage> {
    const isWarm = this.#options.pageLoad.cache === 'warm';
    const contextId = this.#warmContextId ?? (await this.#createContext());
    if (isWarm) this.#warmContextId = contextId;
    return openPage(this.#browser, { ...this.#options, contextId, isContextKept: isWarm });
  }

  #takePage(): ChromePage {
    const page = this.#page;
    if (!page) throw new Error('No page was prepared');
    this.#page = null;
    return page;
  }

  /** The first page of a browser is slower than all others. */
  async #warmUp(): Promise<void> {
    const contextId = await this.#createContext();
    const page = await openPage(this.#browser, { ...this.#options, contextId, isContextKept: false });
    await page[Symbol.asyncDispose]();
  }

  async #createContext(): Promise<string> {
    const { browserContextId } = await this.#browser.session.send('Target.createBrowserContext', {});
    return browserContextId;
  }

  async #relaunch(signal: AbortSignal): Promise<void> {
    this.#options.log?.warn('The browser was gone: another one is started, with nothing in its cache');
    await this.#endBrowser();
    this.#browser = await launchBrowser(describeLaunch(this.#options), signal);
    await this.#warmUp();
  }

  async #endBrowser(): Promise<void> {
    this.#page = null;
    this.#warmContextId = null;
    await this.#browser[Symbol.asyncDispose]();
  }
}

function describeLaunch(options: ChromeSessionOptions): LaunchOptions {
  return { ...options, answerWithinMs: options.pageLoad.timeoutMs + 30_000 };
}
