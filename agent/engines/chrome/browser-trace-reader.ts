/** What a trace may have before it is given up: pages that do so much at once are none to measure with it. */
export const traceLimits = { bytes: 128 * 1024 * 1024, events: 200_000, charactersOfEvent: 1024 * 1024 };

/** An event of a trace in JSON. https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** In µs of the browser's monotonic clock. */
  ts: number;
  dur?: number;
  /** Of `dur`, what the thread had a processor for. */
  tdur?: number;
  args?: Record<string, unknown>;
}

const [quote, backslash, opening, closing] = Array.from('"\\{}', (character) => character.charCodeAt(0));

/** Reads a trace as it comes, event by event, without ever having it whole. */
export class BrowserTraceReader {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Of an event that has begun and not ended. */
  #begun = '';
  #bytes = 0;
  #events = 0;
  readonly #onEvent: (event: TraceEvent) => void;
  readonly #limits: typeof traceLimits;

  constructor(onEvent: (event: TraceEvent) => void, limits = traceLimits) {
    this.#onEvent = onEvent;
    this.#limits = limits;
  }

  /** Why no more of it is to be read; null while there is room. */
  get excess(): string | null {
    const { bytes, events, charactersOfEvent } = this.#limits;
    if (this.#bytes > bytes) return `Its trace has more than ${Math.round(bytes / 1024 ** 2)} MiB`;
    if (this.#events > events) return `Its trace has more than ${events} events`;
    return this.#begun.length > charactersOfEvent ? 'Its trace has an event that is too long' : null;
  }

  /** Throws where it is no JSON. */
  push(text: string): void {
    this.#bytes += text.length;
    let start = this.#depth >= 2 ? 0 : -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === backslash) this.#isEscaped = true;
        else if (code === quote) this.#isInText = false;
      } else if (code === quote) this.#isInText = true;
      else if (code === opening) {
        if (++this.#depth === 2) start = at;
      } else if (code === closing && this.#depth-- === 2) {
        this.#take(this.#begun + text.slice(start, at + 1));
        this.#begun = '';
        start = -1;
        if (this.excess !== null) return;
      }
    }
    if (start >= 0) this.#begun += text.slice(start);
  }

  /** The object of its metadata is no event. */
  #take(json: string): void {
    const event = JSON.parse(json) as Partial<TraceEvent>;
    if (typeof event.name !== 'string' || typeof event.ph !== 'string' || typeof event.ts !== 'number') return;
    if (typeof event.pid !== 'number' || typeof event.tid !== 'number') return;
    this.#events++;
    this.#onEvent(event as TraceEvent);
  }
}
