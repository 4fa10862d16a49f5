import { CookieJar } from 'tough-cookie';
import { lastsForPass } from '#core/evaluation/pages/page-load.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { ResponseCache } from '../fetch/response-cache.ts';
import { HttpNetwork } from '../network/http-network.ts';
import { visitOverHttp } from '../visit-over-http.ts';
import type { SessionOptions } from './session-messages.ts';

/** What a client remembers from one Visit to the next, unless it is cold. */
interface Memory {
  network: HttpNetwork;
  jar: CookieJar;
  cache: ResponseCache | null;
}

/** The client of one session: all Visits with one memory, or each with a new one (`cold`). */
export class HttpClient {
  readonly #options: SessionOptions;
  #kept: Memory | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async visit(url: string): Promise<VisitOutcome> {
    const { pageLoad, browser, userAgent, recordsHeaders } = this.#options;
    const { widthPx, heightPx } = browser.viewport ?? pageLoad.viewport;
    const memory = this.#kept ?? this.#makeMemory();
    const outcome = await visitOverHttp(url, {
      ...memory,
      pageLoad,
      userAgent,
      recordsHeaders,
      display: { widthPx, heightPx, scaleRatio: browser.deviceScaleRatio ?? 1 },
      nowEpochMs: epochClock,
    });
    if (lastsForPass(pageLoad) && outcome.status === 'ok' && outcome.snapshot.settled) {
      this.#kept = memory;
    } else {
      // What is still in flight, and what a broken page left behind, must not reach the next Visit.
      await memory.network[Symbol.asyncDispose]();
      this.#kept = lastsForPass(pageLoad) ? { ...memory, network: this.#makeNetwork() } : null;
    }
    return outcome;
  }

  /** Closes what is still open. */
  async close(): Promise<void> {
    await this.#kept?.network[Symbol.asyncDispose]();
    this.#kept = null;
  }

  #makeMemory(): Memory {
    return {
      network: this.#makeNetwork(),
      jar: new CookieJar(),
      cache: lastsForPass(this.#options.pageLoad) ? new ResponseCache() : null,
    };
  }

  #makeNetwork(): HttpNetwork {
    return new HttpNetwork(this.#options.browser, epochClock);
  }
}
