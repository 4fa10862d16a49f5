/** A time in which the rate does not change. */
export interface RateSegment {
  kbps: number;
  /** Infinity when it never changes again. */
  untilMs: number;
}

/** What the rate is at a time, and what it is told so that it can follow demand. Times never go back. */
export interface RateSource {
  segmentAt(ms: number): RateSegment;
  /** Of every packet that finds room in the queue. */
  noteArrival?(sizeBytes: number, ms: number): void;
  /** Of all that is sent, up to the time that it is asked about next. */
  noteSent?(bits: number): void;
}
