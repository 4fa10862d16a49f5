/** Of one direction. As many as Wireshark remembers (TCP_MAX_UNACKED_SEGMENTS): beyond, the acknowledgements are not in the trace. */
const maximumCount = 10_000;
/** Of all connections of a trace together: some 20 MB. */
const maximumOfTrace = 250_000;

export interface SentSegment {
  start: number;
  end: number;
  sentNs: number;
  /** It was sent more than once: an acknowledgement does not show which sending it answers (Karn and Partridge 1987). */
  isAmbiguous: boolean;
}

/** Room for the unacknowledged segments of all connections of a trace. */
export class SegmentRoom {
  #free: number;
  /** Segments that had no place, of which no acknowledgement is known. */
  leftOut = 0;

  constructor(places = maximumOfTrace) {
    this.#free = places;
  }

  /** Whether there was a place. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  free(places: number): void {
    this.#free += places;
  }
}

/** The segments of one direction that no acknowledgement has covered yet, oldest first. */
export class UnacknowledgedSegments {
  #segments: SentSegment[] = [];
  /** Index of the oldest: the ones before it have been taken out. */
  #first = 0;
  /** Whether no segment begins before the end of another: then an acknowledgement takes out from the front only. */
  #isOrdered = true;
  readonly #room: SegmentRoom;

  constructor(room: SegmentRoom) {
    this.#room = room;
  }

  /** Without a place, it is left out. */
  add(segment: SentSegment): void {
    if (this.#segments.length - this.#first >= maximumCount || !this.#room.take()) {
      this.#room.leftOut++;
      return;
    }
    if (this.#first < this.#segments.length && isBefore(segment.start, this.#segments.at(-1)!.end))
      this.#isOrdered = false;
    this.#segments.push(segment);
  }

  /** The stretch was sent again. */
  markAmbiguous(start: number, end: number): void {
    for (let index = this.#first; index < this.#segments.length; index++) {
      const segment = this.#segments[index]!;
      if (isBefore(segment.start, end) && isBefore(start, segment.end)) segment.isAmbiguous = true;
    }
  }

  /** When the byte was sent for the first time; null where that is not known. */
  firstSentNs(sequence: number): number | null {
    for (let index = this.#first; index < this.#segments.length; index++) {
      const { start, end, sentNs } = this.#segments[index]!;
      if (!isBefore(sequence, start) && isBefore(sequence, end)) return sentNs;
    }
    return null;
  }

  /** Takes out what an acknowledgement covers. Returns the oldest segment that ends exactly at it. */
  acknowledge(acknowledgement: number): SentSegment | null {
    if (this.#first === this.#segments.length) return null;
    const before = this.#segments.length - this.#first;
    const answered = this.#isOrdered ? this.#takeFromFront(acknowledgement) : this.#takeFromAll(acknowledgement);
    this.#room.free(before - (this.#segments.length - this.#first));
    if (this.#first === this.#segments.length) {
      this.#segments.length = 0;
      this.#first = 0;
      this.#isOrdered = true;
    } else if (this.#first > 256 && 2 * this.#first > this.#segments.length) {
      this.#segments = this.#segments.slice(this.#first);
      this.#first = 0;
    }
    return answered;
  }

  #takeFromFront(acknowledgement: number): SentSegment | null {
    let answered: SentSegment | null = null;
    while (this.#first < this.#segments.length) {
      const segment = this.#segments[this.#first]!;
      if (isBefore(acknowledgement, segment.end)) {
        if (isBefore(segment.start, acknowledgement)) segment.start = acknowledgement;
        break;
      }
      if (segment.end === acknowledgement) answered ??= segment;
      this.#first++;
    }
    return answered;
  }

  #takeFromAll(acknowledgement: number): SentSegment | null {
    let answered: SentSegment | null = null;
    let keptEnd = this.#first;
    for (let index = this.#first; index < this.#segments.length; index++) {
      const segment = this.#segments[index]!;
      if (segment.end === acknowledgement) answered ??= segment;
      if (!isBefore(acknowledgement, segment.end)) continue;
      if (isBefore(segment.start, acknowledgement)) segment.start = acknowledgement;
      this.#segments[keptEnd++] = segment;
    }
    this.#segments.length = keptEnd;
    return answered;
  }
}

/** Sequence numbers are kept as signed 32-bit integers and compared by their difference, which survives the wrap at 2^32. RFC 9293, 3.4 */
export function isBefore(a: number, b: number): boolean {
  return ((a - b) | 0) < 0;
}
