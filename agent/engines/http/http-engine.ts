import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { FailureCode } from '#core/metrics/failure-code.ts';
import { VisitRest } from '#core/metrics/visit-rest.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { Engine, EngineSession, VisitRequest } from '../engine.ts';
import { ClientProcess } from './process/client-process.ts';
import type { SessionOptions } from './process/session-messages.ts';

const require = createRequire(import.meta.url);
const versionOf = (manifest: string) => (require(manifest) as { version: string }).version;

/**
 * A client that loads pages without rendering them, which is always there: it fetches what a browser would, runs no script and lays nothing out
 * (docs/http-engine.md).
 */
export function openHttpEngine(): Engine {
  const browserVersion = `HTTP-AE-http/${versionOf('../../../package.json')} undici/${versionOf('undici/package.json')}`;
  return {
    name: 'http',
    browserVersion,
    open: ({ signal, osUser = null, pageLoad, browser, recordsHeaders = false }) => {
      const userAgent = browser.userAgentString ?? `Mozilla/5.0 (compatible; ${browserVersion})`;
      return HttpSession.open({ browserVersion, userAgent, osUser, pageLoad, browser, recordsHeaders }, signal);
    },
  };
}

/** A page that keeps the client from its own hard cap for so long is given up. */
const overdueMs = 10_000;

interface HttpSessionOptions extends SessionOptions {
  browserVersion: string;
}

/** One client in a process of its own; another is started where it was lost. */
class HttpSession implements EngineSession {
  readonly browserVersion: string;
  readonly #options: SessionOptions;
  #client: ClientProcess;
  readonly #rest: VisitRest;
  #isRested = false;
  readonly #closing = new AbortController();

  static async open({ browserVersion, ...options }: HttpSessionOptions, signal?: AbortSignal): Promise<HttpSession> {
    return new HttpSession(options, { browserVersion, client: await ClientProcess.start(options, signal) });
  }

  private constructor(
    options: SessionOptions,
    { browserVersion, client }: { browserVersion: string; client: ClientProcess },
  ) {
    this.#options = options;
    this.#rest = new VisitRest(options.pageLoad);
    this.browserVersion = browserVersion;
    this.#client = client;
  }

  get processId(): number | null {
    return this.#client.gone.aborted ? null : this.#client.processId;
  }

  prepare({ restMs, signal }: Partial<VisitRequest> = {}): Promise<void> {
    return this.#prepare({ restMs, signal: AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]) });
  }

  async visit({ url, restMs, signal: wanted, onNavigate, onScreenshot }: VisitRequest): Promise<VisitOutcome> {
    const signal = AbortSignal.any([wanted, this.#closing.signal]);
    const overdue = new AbortController();
    const giveUp = AbortSignal.any([signal, overdue.signal]);
    const onGiveUp = () => void this.#client[Symbol.asyncDispose]();
    let timer: NodeJS.Timeout | undefined;
    try {
      signal.throwIfAborted();
      await this.#prepare({ restMs, signal });
      this.#isRested = false;
      giveUp.addEventListener('abort', onGiveUp, { once: true });
      timer = setTimeout(() => overdue.abort(), this.#options.pageLoad.timeoutMs + overdueMs);
      // Before the order: the client may be faster than this process.
      onNavigate?.(epochClock());
      const outcome = await this.#client.visit(url);
      this.#rest.note(outcome.snapshot);
      if (outcome.status === 'ok') onScreenshot?.({ kind: 'absent', reason: 'The http engine renders nothing' });
      return outcome;
    } catch (error) {
      if (signal.aborted) return fail('aborted', 'The Visit was aborted');
      if (overdue.signal.aborted)
        return fail('timeout', `The page kept the client busy for ${overdueMs} ms beyond the hard cap`);
      if (this.#client.gone.aborted)
        return fail('browser-crashed', 'The process of the http client ended during the Visit');
      await this.#client[Symbol.asyncDispose]();
      return fail('engine-error', (error as Error).message);
    } finally {
      clearTimeout(timer);
      giveUp.removeEventListener('abort', onGiveUp);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('The session is closed'));
    await this.#client[Symbol.asyncDispose]();
  }

  async #prepare({ restMs, signal }: Pick<VisitRequest, 'restMs' | 'signal'>): Promise<void> {
    if (this.#client.gone.aborted) {
      this.#isRested = false;
      this.#client = await ClientProcess.start(this.#options, signal);
    }
    if (this.#isRested) return;
    await sleep(this.#rest.before(restMs), undefined, { signal });
    this.#isRested = true;
  }
}

function fail(code: FailureCode, detail: string): VisitOutcome {
  return { status: 'failed', code, detail: detail.slice(0, 4096), snapshot: null };
}
