import type { CapacityUse } from './capacity-count.ts';

/** A time in which the rate does not change. */
export interface RateSegment {
  kbps: number;
  /** Infinity when it never changes again. */
  untilMs: number;
}

/** The rate at a time, and the inputs by which it follows demand. Times never go back. */
export interface RateSource {
  segmentAt(ms: number): RateSegment;
  /** Of every packet that finds room in the queue. */
  noteArrival?(sizeBytes: number, ms: number): void;
  /** Of all that is sent, up to the time that it is asked about next. */
  noteSent?(bits: number): void;
  /** Of a packet that found room, and was dropped later. */
  noteDropped?(sizeBytes: number): void;
  /** Where capacity is assigned: counts it from now on. */
  beginCapacity?(ms: number): void;
  /** What was counted up to that time. */
  capacityUse?(ms: number): CapacityUse;
}
