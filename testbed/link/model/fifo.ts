/** First in, first out. Taking from an array's start moves all the others; this does so only now and then. */
export class Fifo<Value> {
  #values: (Value | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#values.length - this.#first;
  }

  peek(): Value | undefined {
    return this.#values[this.#first];
  }

  add(value: Value): void {
    this.#values.push(value);
  }

  take(): Value | undefined {
    const value = this.#values[this.#first];
    if (this.length === 0) return undefined;
    this.#values[this.#first] = undefined;
    this.#first += 1;
    if (this.#first > 1024 && this.#first * 2 > this.#values.length) {
      this.#values = this.#values.slice(this.#first);
      this.#first = 0;
    }
    return value;
  }
}
