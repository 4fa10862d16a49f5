/** As `Events.Event` of the polyfill, and its kin that take filters. */
interface ListenerTarget<Listener, Options extends readonly unknown[]> {
  addListener(listener: Listener, ...options: Options): void;
  removeListener(listener: Listener): void;
}

/** Listeners that go together. */
export class ListenerSet {
  readonly #removals: (() => void)[] = [];

  add<Listener, Options extends readonly unknown[]>(
    target: ListenerTarget<Listener, Options>,
    listener: NoInfer<Listener>,
    ...options: Options
  ): void {
    target.addListener(listener, ...options);
    this.#removals.push(() => target.removeListener(listener));
  }

  removeAll(): void {
    for (const remove of this.#removals.splice(0)) remove();
  }
}
