import { estimateClockOffset, type ClockExchange, type ClockOffset } from '#core/protocol/clock-offset.ts';
import { epochClock } from '../epoch-clock.ts';

const exchangeCount = 8;

/** This host's view of the Controller's clock, read anew by a burst of exchanges over the link. */
export class ControllerClock {
  private current: ClockOffset | null = null;
  private exchanges: ClockExchange[] = [];
  private reading: PromiseWithResolvers<ClockOffset> | null = null;
  private readonly request: (agentEpochMs: number) => void;

  constructor(request: (agentEpochMs: number) => void) {
    this.request = request;
  }

  /** The last offset read. Throws before the first. */
  get offset(): ClockOffset {
    if (!this.current) throw new Error('The clock offset was not read yet');
    return this.current;
  }

  /** The last offset read; null before the first. */
  get known(): ClockOffset | null {
    return this.current;
  }

  /** Reads the offset by eight exchanges one after the other, once there is a line; takes about eight round trips. Rejects when the line breaks. */
  read(): Promise<ClockOffset> {
    if (!this.reading) {
      this.reading = Promise.withResolvers();
      this.begin();
    }
    return this.reading.promise;
  }

  handleReply(reply: { agentEpochMs: number; receivedEpochMs: number; repliedEpochMs: number }): void {
    if (!this.reading) return;
    const { agentEpochMs: sentEpochMs, receivedEpochMs, repliedEpochMs } = reply;
    this.exchanges.push({ sentEpochMs, receivedEpochMs, repliedEpochMs, returnedEpochMs: epochClock() });
    if (this.exchanges.length < exchangeCount) {
      this.request(epochClock());
      return;
    }
    this.current = estimateClockOffset(this.exchanges);
    this.reading.resolve(this.current);
    this.reading = null;
  }

  /** There is a line: what was asked for while there was none was dropped, and is asked for now. */
  handleConnect(): void {
    if (this.reading) this.begin();
  }

  /** The line broke: who waits for a reading is told. */
  handleDisconnect(): void {
    this.reading?.promise.catch(() => undefined);
    this.reading?.reject(new Error('The line to the Controller broke while its clock was read'));
    this.reading = null;
  }

  private begin(): void {
    this.exchanges = [];
    this.request(epochClock());
  }
}
