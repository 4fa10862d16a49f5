import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type FlowCounts, DelayHistogram } from './flow-messages.ts';

/** The video that a player holds ahead, at most. */
const videoBufferMs = 30_000;
const videoSegmentMs = 4_000;
/** Up to here the lowest rate; from here on, over the cushion, a higher one for more in the buffer. */
const reservoirMs = 8_000;
const cushionMs = 16_000;

/** One viewer: requests segment after segment while there is room in the buffer, and plays from the first one on. */
export class VideoPlayer {
  readonly #ladderKbps: readonly number[];
  readonly #clock: () => number;
  #bufferMs = 0;
  #lastMs = 0;
  #rateKbps: number;
  #hasBegun = false;
  #segments = 0;
  #rateSumKbps = 0;
  #stalledMs = 0;
  readonly #segmentTimesMs: number[] = [];

  /** `clock` is that of `performance.now()` unless the test holds another. */
  constructor(ladderKbps: readonly number[], clock = () => performance.now()) {
    this.#ladderKbps = ladderKbps;
    this.#clock = clock;
    this.#rateKbps = ladderKbps[0]!;
  }

  static sum(players: readonly VideoPlayer[]): FlowCounts['video'] {
    const times = new DelayHistogram();
    for (const player of players) for (const timeMs of player.#segmentTimesMs) times.add(timeMs);
    const sum = (read: (player: VideoPlayer) => number) => players.reduce((total, each) => total + read(each), 0);
    return {
      segments: sum((each) => each.#segments),
      rateKbps: sum((each) => each.#rateSumKbps),
      stalledMs: sum((each) => each.#stalledMs),
      segmentTime: times.summarize(),
    };
  }

  /** Until the connection is closed. */
  async play(socket: Socket, closed: AbortSignal): Promise<void> {
    let leftBytes = 0;
    let arrived = Promise.withResolvers<void>();
    const isOpen = () => !closed.aborted;
    closed.addEventListener('abort', () => arrived.resolve());
    socket.on('data', (data) => {
      leftBytes -= data.length;
      if (leftBytes <= 0) arrived.resolve();
    });
    while (isOpen()) {
      this.#playUntil(this.#clock());
      const excessMs = this.#bufferMs + videoSegmentMs - videoBufferMs;
      if (excessMs > 0) await pause(excessMs);
      if (!isOpen()) return;
      this.#playUntil(this.#clock());
      this.#rateKbps = chooseVideoRate(this.#ladderKbps, { bufferMs: this.#bufferMs, previousKbps: this.#rateKbps });
      leftBytes = Math.ceil((this.#rateKbps * videoSegmentMs) / 8);
      arrived = Promise.withResolvers();
      const askedMs = this.#clock();
      socket.write(`${leftBytes}\n`);
      await arrived.promise;
      if (isOpen()) this.#take(this.#clock() - askedMs);
    }
  }

  /** Nothing is played from now on: counts the stall that it is in, which no segment ends. */
  end(): void {
    this.#playUntil(this.#clock());
  }

  #take(tookMs: number): void {
    this.#playUntil(this.#clock());
    this.#hasBegun = true;
    this.#bufferMs += videoSegmentMs;
    this.#segments += 1;
    this.#rateSumKbps += this.#rateKbps;
    this.#segmentTimesMs.push(tookMs);
  }

  #playUntil(nowMs: number): void {
    const passedMs = this.#hasBegun ? nowMs - this.#lastMs : 0;
    this.#stalledMs += Math.max(0, passedMs - this.#bufferMs);
    this.#bufferMs = Math.max(0, this.#bufferMs - passedMs);
    this.#lastMs = nowMs;
  }
}

/** The rate of the next segment by what is in the buffer alone: BBA-0 of Huang et al. 2014 ("A Buffer-Based Approach to Rate Adaptation", algorithm 1). */
export function chooseVideoRate(
  ladderKbps: readonly number[],
  { bufferMs, previousKbps }: { bufferMs: number; previousKbps: number },
): number {
  const lowest = ladderKbps[0]!;
  const highest = ladderKbps.at(-1)!;
  if (bufferMs <= reservoirMs) return lowest;
  if (bufferMs >= reservoirMs + cushionMs) return highest;
  const mappedKbps = lowest + ((highest - lowest) * (bufferMs - reservoirMs)) / cushionMs;
  const above = ladderKbps.find((rate) => rate > previousKbps) ?? highest;
  const below = ladderKbps.findLast((rate) => rate < previousKbps) ?? lowest;
  if (mappedKbps >= above) return ladderKbps.findLast((rate) => rate < mappedKbps) ?? lowest;
  if (mappedKbps <= below) return ladderKbps.find((rate) => rate > mappedKbps) ?? highest;
  return previousKbps;
}
