import { unlessAborted } from '../waiting.ts';
import { readExchange, type ClockOffset, type ClockSample, maximumDriftRatio } from './clock-offset.ts';

/** 20 samples of every 15 s are those of 5 minutes. */
const keptSamples = 20;
/** How far the drift itself may wander, such as with the temperature. */
const driftWanderRatio = 1e-6;

/**
 * The offset between two clocks that drift, from samples taken over some minutes. Each sample bounds the offset at its time. The filter takes every straight line
 * that runs through all bounds, and returns the middle of their values at the asked time; half their spread is the bound of its error. So a sample with a short
 * round trip counts, as in NTP's clock filter (RFC 5905, section 10), and one with a long round trip does no harm.
 */
export class ClockFilter {
  #samples: ClockSample[] = [];

  /** Samples come in the order of their times. */
  add(sample: ClockSample): void {
    this.#samples = [...this.#samples, sample].slice(-keptSamples);
    // A clock that was stepped fits no line with what was read before.
    while (estimateFrom(this.#samples, sample.epochMs) === null) this.#samples.shift();
  }

  /** The smallest bound of all samples: about half the shortest round trip. Null without any. */
  get smallestErrorMs(): number | null {
    return this.#samples.length === 0 ? null : Math.min(...this.#samples.map(({ errorMs }) => errorMs));
  }

  /** The offset at a time on this host's clock, not before the last sample. Null without a sample. */
  estimateAt(epochMs: number): ClockOffset | null {
    const last = this.#samples.at(-1);
    return last ? estimateFrom(this.#samples, Math.max(epochMs, last.epochMs)) : null;
  }
}

const readEveryMs = 15_000;
const reportEveryReadings = 4;
/** At the start of a line nothing is known yet. */
const firstExchanges = 8;
const laterExchanges = 4;
/** An error that is no longer worth another reading, unless the round trip is longer. */
const goodErrorMs = 0.5;
const goodErrorRatio = 1.5;
const extraReadings = 4;
const shortestPauseMs = 200;
/** How often is looked whether the first reading of a line may be made. */
const lookEveryMs = 500;

export interface ClockSurroundings {
  /** This host's clock, which never steps backwards. */
  epochClock: () => number;
  /** The smallest step of that clock. */
  resolutionMs: number;
  /** Rejects when aborted. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  random: () => number;
  /** Asks the Controller for its time; `handleReply` gets the answer. */
  request: (agentEpochMs: number) => void;
  /** Whether a reading would share a link with what is being measured. */
  mustRest: () => boolean;
  /** Called after the first reading of a line, and then once a minute. */
  onReport?: (offset: ClockOffset) => void;
}

interface ClockReply {
  agentEpochMs: number;
  receivedEpochMs: number;
  repliedEpochMs: number;
}

/**
 * This host's view of the Controller's clock. While there is a line, it is read every 15 s, each Agent at instants of its own, so that a thousand of them do not
 * wait for each other at the Controller. It is never read while a Pass loads pages, unless another is about to start. The first reading of a line that comes
 * meanwhile is made right afterwards.
 */
export class ControllerClock {
  readonly #surroundings: ClockSurroundings;
  #filter = new ClockFilter();
  /** Of this line. */
  #readings = 0;
  #line: AbortController | null = null;
  #reply: PromiseWithResolvers<ClockReply> | null = null;
  #reading: Promise<void> | null = null;
  /** Passes that wait for the first reading of a line. */
  #waiting = 0;
  /** Of this line. */
  #firstRead = Promise.withResolvers<void>();

  constructor(surroundings: ClockSurroundings) {
    this.#surroundings = surroundings;
  }

  /** The offset now. Throws before the first reading. */
  get offset(): ClockOffset {
    const offset = this.known;
    if (!offset) throw new Error('The clock offset is not known yet');
    return offset;
  }

  /** The offset now; null before the first reading. */
  get known(): ClockOffset | null {
    return this.#filter.estimateAt(this.#surroundings.epochClock());
  }

  /**
   * The offset for a Pass that is about to start. Reads the clock only where what is known is not good enough, in random pauses, as all Agents of a Round ask at
   * the same time. Waits for a line, and for the first reading on it. Rejects when aborted.
   */
  async improve(signal: AbortSignal): Promise<ClockOffset> {
    await this.#awaitFirstReading(signal);
    for (let extra = 0; extra < extraReadings && !this.#isGoodEnough; extra++) {
      await this.#surroundings.sleep(this.#surroundings.random() * shortestPauseMs * 2 ** extra, signal);
      await unlessAborted(this.#read(laterExchanges), signal);
      await this.#awaitFirstReading(signal);
    }
    return this.offset;
  }

  handleReply(reply: ClockReply): void {
    this.#reply?.resolve(reply);
  }

  handleConnect(): void {
    this.handleDisconnect();
    const line = new AbortController();
    this.#line = line;
    this.#keepReading(line.signal).catch((error: unknown) => {
      if (!line.signal.aborted) throw error;
    });
  }

  /** What is known stays until there is a line again. */
  handleDisconnect(): void {
    this.#line?.abort(new Error('The connection to the Controller broke while its clock was read'));
    this.#line = null;
    if (this.#readings > 0) this.#firstRead = Promise.withResolvers();
    this.#readings = 0;
  }

  get #isGoodEnough(): boolean {
    const smallestErrorMs = this.#filter.smallestErrorMs ?? 0;
    return this.offset.errorMs <= Math.max(goodErrorMs, goodErrorRatio * smallestErrorMs);
  }

  async #awaitFirstReading(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      await unlessAborted(this.#firstRead.promise, signal);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #keepReading(line: AbortSignal): Promise<void> {
    const { sleep, random, mustRest } = this.#surroundings;
    await this.#reading; // of the line before
    while (mustRest() && this.#waiting === 0) await sleep(lookEveryMs, line);
    await this.#read(firstExchanges);
    for (let pauseMs = random() * readEveryMs; ; pauseMs = readEveryMs) {
      await sleep(pauseMs, line);
      if (!mustRest()) await this.#read(laterExchanges);
    }
  }

  /** Some exchanges one after the other, of which the fastest counts. Who asks while they are under way waits for the same. A line that breaks ends them. */
  #read(exchanges: number): Promise<void> {
    this.#reading ??= this.#exchange(exchanges).finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #exchange(exchanges: number): Promise<void> {
    const { epochClock, resolutionMs, request, mustRest, onReport } = this.#surroundings;
    const line = this.#line;
    if (!line) return;
    let best: ClockSample | null = null;
    for (let count = 0; count < exchanges && !(best && mustRest()); count++) {
      this.#reply = Promise.withResolvers();
      request(epochClock());
      try {
        const {
          agentEpochMs: sentEpochMs,
          receivedEpochMs,
          repliedEpochMs,
        } = await unlessAborted(this.#reply.promise, line.signal);
        const sample = readExchange(
          { sentEpochMs, receivedEpochMs, repliedEpochMs, returnedEpochMs: epochClock() },
          resolutionMs,
        );
        if (!best || sample.errorMs < best.errorMs) best = sample;
      } catch (error) {
        if (line.signal.aborted) return;
        throw error;
      }
    }
    if (!best) return;
    // The Controller at the other end of a new line may have been started again, with another clock.
    if (this.#readings === 0) this.#filter = new ClockFilter();
    this.#filter.add(best);
    this.#firstRead.resolve();
    if (this.#readings++ % reportEveryReadings === 0) onReport?.(this.offset);
  }
}

/** Null when no line runs through all bounds. */
function estimateFrom(samples: readonly ClockSample[], nowEpochMs: number): ClockOffset | null {
  const bounds = samples.map(({ epochMs, offsetMs, errorMs }) => {
    const ageMs = nowEpochMs - epochMs;
    const halfMs = errorMs + driftWanderRatio * ageMs;
    return { ageMs, lowMs: offsetMs - halfMs, highMs: offsetMs + halfMs };
  });
  // The drifts with which a line can run above one bound and below another.
  let [slowest, fastest] = [-maximumDriftRatio, maximumDriftRatio];
  for (const { ageMs: lowAgeMs, lowMs } of bounds) {
    for (const { ageMs: highAgeMs, highMs } of bounds) {
      const apartMs = lowAgeMs - highAgeMs;
      if (apartMs === 0 && highMs < lowMs) return null;
      if (apartMs > 0) fastest = Math.min(fastest, (highMs - lowMs) / apartMs);
      if (apartMs < 0) slowest = Math.max(slowest, (highMs - lowMs) / apartMs);
    }
  }
  if (slowest > fastest) return null;
  const lowMs = Math.max(...bounds.map((bound) => bound.lowMs + slowest * bound.ageMs));
  const highMs = Math.min(...bounds.map((bound) => bound.highMs + fastest * bound.ageMs));
  return { offsetMs: (lowMs + highMs) / 2, errorMs: Math.max(0, (highMs - lowMs) / 2) };
}
