/** How many streams the other end may open while an earlier one is still on its way. */
const reach = 65_536;

/** The streams that the other end has opened so far, so that what is sent again does not open one again. Bounded. */
export class SeenStreams {
  readonly #ids = new Set<number>();
  #floor = 0;

  has(id: number): boolean {
    return id <= this.#floor || this.#ids.has(id);
  }

  /** The other end counts from the start again. */
  clear(): void {
    this.#ids.clear();
    this.#floor = 0;
  }

  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= 2 * reach) return;
    const sorted = [...this.#ids].sort((one, other) => one - other);
    for (const old of sorted.slice(0, reach)) this.#ids.delete(old);
    this.#floor = sorted[reach - 1]!;
  }
}
