/** Capacity of one direction between the first packet and the last, since counting began. */
export interface CapacityUse {
  assignedBytes: number;
  usedBytes: number;
  overMs: number;
}

/** Counts what was assigned and what was used of it, in whole frames: from the one of the first arrival to the last in which something was sent. */
export class CapacityCount {
  #hasBegun = false;
  #assignedBits = 0;
  #usedBits = 0;
  #overMs = 0;
  #frameUsedBits = 0;
  #last: CapacityUse = { assignedBytes: 0, usedBytes: 0, overMs: 0 };

  begin(): void {
    this.#hasBegun = false;
    this.#assignedBits = 0;
    this.#usedBits = 0;
    this.#overMs = 0;
    this.#frameUsedBits = 0;
    this.#last = { assignedBytes: 0, usedBytes: 0, overMs: 0 };
  }

  arrive(): void {
    this.#hasBegun = true;
  }

  use(bits: number): void {
    if (this.#hasBegun) this.#frameUsedBits += bits;
  }

  endFrame(assignedBits: number, overMs: number): void {
    if (!this.#hasBegun) return;
    this.#assignedBits += assignedBits;
    this.#overMs += overMs;
    if (this.#frameUsedBits === 0) return;
    this.#usedBits += this.#frameUsedBits;
    this.#frameUsedBits = 0;
    this.#last = { assignedBytes: this.#assignedBits / 8, usedBytes: this.#usedBits / 8, overMs: this.#overMs };
  }

  read(): CapacityUse {
    return this.#last;
  }
}
