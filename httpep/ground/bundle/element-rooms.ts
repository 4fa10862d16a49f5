/** How many elements of pages may be held, of some 700 bytes each. Large pages for people have a tenth of what a user may. */
const usual = { ofAll: 500_000, ofUser: 250_000 };

/** Where the elements of a page and its frames are counted, as long as they are held. Disposing of it makes room for others. */
export interface ElementRoom extends Disposable {
  /** Counts one more; false where there is no room for it. */
  take(): boolean;
}

/** Shares the memory that reading pages takes among users: a few kilobytes of text may become very many elements. */
export class ElementRooms {
  readonly #most: { ofAll: number; ofUser: number };
  readonly #ofUsers = new Map<string, number>();
  #count = 0;

  /** `most`: for all users together, and for one. */
  constructor(most = usual) {
    this.#most = most;
  }

  open(user: string): ElementRoom {
    let own = 0;
    let isOver = false;
    return {
      take: () => {
        const ofUser = this.#ofUsers.get(user) ?? 0;
        if (isOver || ofUser >= this.#most.ofUser || this.#count >= this.#most.ofAll) return false;
        this.#ofUsers.set(user, ofUser + 1);
        this.#count += 1;
        own += 1;
        return true;
      },
      [Symbol.dispose]: () => {
        isOver = true;
        const left = (this.#ofUsers.get(user) ?? 0) - own;
        if (left === 0) this.#ofUsers.delete(user);
        else this.#ofUsers.set(user, left);
        this.#count -= own;
        own = 0;
      },
    };
  }
}
