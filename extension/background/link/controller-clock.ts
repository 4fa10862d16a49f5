import { estimateClockOffset, type ClockExchange, type ClockOffset } from '#core/protocol/clock-offset.ts';
import { epochClock } from '../epoch-clock.ts';

const exchangeCount = 8;

interface ClockReply {
  agentEpochMs: number;
  receivedEpochMs: number;
  repliedEpochMs: number;
}

/** This browser's view of the Controller's clock, read by a burst of exchanges over the link. */
export class ControllerClock {
  readonly #request: (agentEpochMs: number) => void;
  #up = Promise.withResolvers<void>();
  #isUp = false;
  #reply: PromiseWithResolvers<ClockReply> | null = null;
  #reading: Promise<ClockOffset> | null = null;

  constructor(request: (agentEpochMs: number) => void) {
    this.#request = request;
  }

  /** Eight exchanges one after the other, once there is a line. Who asks while they are under way gets the same answer. Rejects when the line breaks. */
  read(): Promise<ClockOffset> {
    this.#reading ??= this.#exchangeAll().finally(() => (this.#reading = null));
    return this.#reading;
  }

  handleReply(reply: ClockReply): void {
    this.#reply?.resolve(reply);
  }

  handleUp(): void {
    this.#isUp = true;
    this.#up.resolve();
  }

  /** Also of a line that was never up: who waits for one goes on waiting. */
  handleDown(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#up = Promise.withResolvers();
    this.#reply?.reject(new Error('The line to the Controller broke while its clock was read'));
  }

  async #exchangeAll(): Promise<ClockOffset> {
    await this.#up.promise;
    const exchanges: ClockExchange[] = [];
    while (exchanges.length < exchangeCount) {
      this.#reply = Promise.withResolvers();
      this.#request(epochClock());
      const { agentEpochMs: sentEpochMs, receivedEpochMs, repliedEpochMs } = await this.#reply.promise;
      exchanges.push({ sentEpochMs, receivedEpochMs, repliedEpochMs, returnedEpochMs: epochClock() });
    }
    return estimateClockOffset(exchanges);
  }
}
