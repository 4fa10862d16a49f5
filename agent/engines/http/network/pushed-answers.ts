import { constants } from 'node:http2';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { Push } from './connection.ts';
import { PushedAnswer } from './pushed-answer.ts';

/** What was pushed and not asked for, as far as it came. */
export interface UnusedPushes {
  count: number;
  bytes: number;
}

/** A server that pushes more than any page takes is refused the rest. */
const limits = { answers: 1000, bytes: 64 * 1024 * 1024 };

/** What servers pushed to one client, by URL. */
export class PushedAnswers {
  readonly #nowEpochMs: EpochClock;
  readonly #waiting = new Map<string, PushedAnswer>();
  #refusedCount = 0;

  constructor(nowEpochMs: EpochClock) {
    this.#nowEpochMs = nowEpochMs;
  }

  /** From a connection to this origin, which may push what is its own (RFC 9113 section 8.4). */
  add(origin: string, push: Push): void {
    const { ':method': method, ':scheme': scheme, ':authority': authority, ':path': path = '' } = push.headers;
    const base = `${scheme}://${authority}`;
    const isOwn = method === 'GET' && URL.canParse(path, base) && new URL(path, base).origin === origin;
    const url = isOwn ? new URL(path, base).href : '';
    // A stream without a listener for errors would end the process.
    push.stream.on('error', () => undefined);
    if (!isOwn || this.#waiting.has(url) || this.#isFull()) {
      this.#refusedCount++;
      push.stream.close(isOwn ? constants.NGHTTP2_REFUSED_STREAM : constants.NGHTTP2_PROTOCOL_ERROR);
      return;
    }
    this.#waiting.set(url, new PushedAnswer(push, this.#nowEpochMs));
  }

  /** Null where there is none, or where it broke off. */
  take(url: string): PushedAnswer | null {
    const answer = this.#waiting.get(url);
    if (!answer || answer.isBroken) return null;
    this.#waiting.delete(url);
    return answer;
  }

  /** Ends and forgets what waits. */
  drop(): UnusedPushes {
    const unused = { count: this.#refusedCount + this.#waiting.size, bytes: this.#countBytes() };
    for (const answer of this.#waiting.values()) answer.cancel();
    this.#waiting.clear();
    this.#refusedCount = 0;
    return unused;
  }

  #isFull(): boolean {
    return this.#waiting.size >= limits.answers || this.#countBytes() > limits.bytes;
  }

  #countBytes(): number {
    return [...this.#waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
