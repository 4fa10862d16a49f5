import type { ClockOffset } from '#core/clock/clock-offset.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';

/** A Pass as it is kept on the disk, so that it continues after the background or the browser died. */
export interface HeldPass {
  order: PassOrder;
  state: 'preparing' | 'ready' | 'running' | 'ended' | 'lost';
  /** On the Controller's clock; null before it is known. */
  startEpochMs: number | null;
  clock: ClockOffset | null;
  /** The Visit that comes next, or is under way: its position in the order. */
  sequence: number;
  /** How often that Visit was begun. */
  attempts: number;
  /** The life of the browser in which it was last worked on. */
  browserLifeId: string;
}
