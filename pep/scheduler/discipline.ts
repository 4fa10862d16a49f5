import type { Flow } from './flow.ts';

/** Which of the flows that have bytes waiting sends next. */
export interface Discipline {
  /** The flow has bytes waiting from now on. It was not waiting before. */
  add(flow: Flow): void;
  /** The flow has none any more. It was waiting before. */
  remove(flow: Flow): void;
  /** The flow to send a chunk of; null when none waits. Without `charge`, it stays the same one. */
  next(): Flow | null;
  /** Accounts for a chunk of the flow that `next` named. It is still waiting. */
  charge(flow: Flow, bytes: number): void;
}
