import { actAfter, realTime, type Time } from '#core/clock/time.ts';

/** What may be on its way and in work at a time, of Agents that send as fast as most do. */
const mostBytesUnderWay = 4 * 1024 * 1024;
const mostTurns = 32;
/** An Agent that takes longer is slow: others need not wait for it. */
const slowAfterMs = 5_000;
/** The slow ones included. */
const mostTurnsInAll = 64;
/** An Agent that has its turn and sends nothing for so long has its line broken. */
const turnLimitMs = 60_000;
/** After an Agent said that it has nothing, it is not asked again for so long, unless it asks itself. */
const restAfterNothingMs = 500;
/** What an Agent is expected to send that has sent nothing yet. */
const firstBytes = 128 * 1024;

interface Turn {
  agent: string;
  bytes: number;
  isSlow: boolean;
  /** Ends the wait for what it sends. */
  wait: AbortController;
}

interface TurnsOptions {
  /** Lets this Agent send one message of Visits. */
  grant: (agent: string) => void;
  /** This Agent does not use its turn. */
  giveUp: (agent: string) => void;
  /** Of this process unless given. */
  time?: Time | undefined;
}

/**
 * Who may upload Visits when: a message of them costs this process memory and time, so that a few are on their way and in work at once, and the other Agents
 * wait in order.
 */
export class UploadTurns {
  readonly #options: TurnsOptions;
  readonly #time: Time;
  readonly #waiting = new Set<string>();
  readonly #sending = new Map<string, Turn>();
  readonly #storing = new Set<Turn>();
  readonly #lastBytes = new Map<string, number>();
  readonly #nothingUntilMs = new Map<string, number>();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#time = options.time ?? realTime;
  }

  get counts(): { waiting: number; inWork: number } {
    return { waiting: this.#waiting.size, inWork: this.#sending.size + this.#storing.size };
  }

  /** The Controller wants what this Agent has. */
  ask(agent: string): void {
    if (this.#time.clock() >= (this.#nothingUntilMs.get(agent) ?? 0)) this.request(agent);
  }

  /** The Agent has something to upload. */
  request(agent: string): void {
    if (this.#sending.has(agent)) return;
    this.#waiting.add(agent);
    this.#grantNext();
  }

  /** A message of Visits came. Returns how to end the turn once they are stored; null when it was not the Agent's turn. */
  receive(agent: string, { bytes, isEmpty }: { bytes: number; isEmpty: boolean }): (() => void) | null {
    const turn = this.#sending.get(agent);
    if (!turn) return null;
    turn.wait.abort();
    this.#sending.delete(agent);
    if (isEmpty) {
      this.#nothingUntilMs.set(agent, this.#time.clock() + restAfterNothingMs);
      this.#grantNext();
      return () => undefined;
    }
    this.#lastBytes.set(agent, bytes);
    turn.bytes = bytes;
    turn.isSlow = false;
    this.#storing.add(turn);
    return () => {
      if (this.#storing.delete(turn)) this.#grantNext();
    };
  }

  /** Its line is gone. What came of it is stored all the same. */
  forget(agent: string): void {
    this.#sending.get(agent)?.wait.abort();
    this.#sending.delete(agent);
    this.#waiting.delete(agent);
    this.#lastBytes.delete(agent);
    this.#nothingUntilMs.delete(agent);
    this.#grantNext();
  }

  #grantNext(): void {
    for (const agent of this.#waiting) {
      const bytes = this.#lastBytes.get(agent) ?? firstBytes;
      if (!this.#hasRoomFor(bytes)) return;
      this.#waiting.delete(agent);
      const turn: Turn = { agent, bytes, isSlow: false, wait: new AbortController() };
      this.#actAfter(slowAfterMs, turn, () => this.#slowDown(turn));
      this.#sending.set(agent, turn);
      this.#options.grant(agent);
    }
  }

  #hasRoomFor(bytes: number): boolean {
    const all = [...this.#sending.values(), ...this.#storing];
    const quick = all.filter(({ isSlow }) => !isSlow);
    if (quick.length === 0) return all.length < mostTurnsInAll;
    return (
      quick.length < mostTurns &&
      all.length < mostTurnsInAll &&
      quick.reduce((sum, turn) => sum + turn.bytes, bytes) <= mostBytesUnderWay
    );
  }

  #slowDown(turn: Turn): void {
    turn.isSlow = true;
    this.#actAfter(turnLimitMs - slowAfterMs, turn, () => this.#options.giveUp(turn.agent));
    this.#grantNext();
  }

  #actAfter(durationMs: number, { wait }: Turn, act: () => void): void {
    actAfter(durationMs, act, { sleep: this.#time.sleep, signal: wait.signal });
  }
}
