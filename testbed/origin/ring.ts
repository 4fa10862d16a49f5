/** The last `capacity` values that were added, oldest first. */
export class Ring<Value> {
  readonly #capacity: number;
  #values: Value[] = [];
  #oldest = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(value: Value): void {
    if (this.#values.length < this.#capacity) {
      this.#values.push(value);
      return;
    }
    this.#values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.#capacity;
  }

  values(): Value[] {
    return [...this.#values.slice(this.#oldest), ...this.#values.slice(0, this.#oldest)];
  }

  /** Forgets every value that does not satisfy the condition. */
  keep(isKept: (value: Value) => boolean): void {
    this.#values = this.values().filter(isKept);
    this.#oldest = 0;
  }
}
