import type { Flow } from '#httpep/scheduler/flow.ts';
import { Scheduler, type SchedulerOptions } from '#httpep/scheduler/scheduler.ts';

export const chunkBytes = 1435;

export interface Wish extends Omit<Flow, 'order'> {
  bytes: number;
}

/** A sender without a network: flows with bytes left, and what was sent. */
export class Queue {
  readonly scheduler: Scheduler;
  readonly sent: { flow: Flow; bytes: number }[] = [];
  readonly #leftBytes = new Map<Flow, number>();
  #order = 0;

  constructor(options: SchedulerOptions) {
    this.scheduler = new Scheduler(options);
  }

  add({ bytes, ...wish }: Wish): Flow {
    const flow = { ...wish, order: this.#order++ };
    this.#leftBytes.set(flow, bytes);
    this.scheduler.add(flow);
    return flow;
  }

  /** Sends until this many bytes more were sent, or nothing waits. */
  send(bytes: number): void {
    for (let sentBytes = 0; sentBytes < bytes;) {
      const flow = this.scheduler.next();
      if (flow === null) return;
      const left = this.#leftBytes.get(flow)!;
      const chunk = Math.min(left, chunkBytes);
      this.#leftBytes.set(flow, left - chunk);
      this.scheduler.charge(flow, chunk);
      if (chunk === left) this.scheduler.remove(flow);
      this.sent.push({ flow, bytes: chunk });
      sentBytes += chunk;
    }
  }

  bytesOf(select: (flow: Flow) => boolean): number {
    return this.sent.reduce((sum, { flow, bytes }) => sum + (select(flow) ? bytes : 0), 0);
  }

  ofUser(user: string): number {
    return this.bytesOf((flow) => flow.user === user);
  }
}
