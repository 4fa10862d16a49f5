/** More users are counted together, under this name. */
const maxRows = 1000;
const others = '(others)';

/** Sums by user. Bounded. */
export class CounterTable<Name extends string> {
  readonly #names: readonly Name[];
  readonly #rows = new Map<string, Record<Name, number>>();

  constructor(help: Readonly<Record<Name, string>>) {
    this.#names = Object.keys(help) as Name[];
  }

  add(user: string, name: Name, by = 1): void {
    const key = this.#rows.has(user) || this.#rows.size < maxRows ? user : others;
    let row = this.#rows.get(key);
    if (!row) {
      row = Object.fromEntries(this.#names.map((each) => [each, 0])) as Record<Name, number>;
      this.#rows.set(key, row);
    }
    row[name] += by;
  }

  get rows(): ReadonlyMap<string, Readonly<Record<Name, number>>> {
    return this.#rows;
  }
}
