import { ranks, type Rank } from '../../scheduler/flow.ts';
import type { ObjectType } from '#core/page-objects/wish.ts';
import type { Tunnel } from '../../tunnel/tunnel.ts';
import type { TunnelStream } from '../../tunnel/tunnel-stream.ts';
import type { Push } from './page-bundle.ts';

/** How many pushes a user may have open. */
const maxOfUser = 256;
/** How many pushes all users together may have open. */
const maxOfAll = 2048;
/** How many of a page are asked for at a time, so that no web server is flooded. */
const maxAtOnce = 12;

const rankOf: Partial<Record<ObjectType, Rank>> = {
  document: ranks.page,
  'style-sheet': ranks.blocking,
  script: ranks.blocking,
  font: ranks.blocking,
};

export interface PushOptions {
  tunnel: Tunnel;
  /** The page's stream: when the page is given up, so is what was fetched for it. */
  page: TunnelStream;
  /** Asks the origin, and sends the answer. Resolves when that is over. */
  fetch: (push: Push, stream: TunnelStream) => Promise<void>;
}

/** The streams by which the ground end sends what nobody has asked for yet. */
export class PushStreams {
  readonly #open = new Map<string, number>();
  #openCount = 0;

  /** What sends the pushes of one page. Its function returns the number of the stream, or null when there is no room. */
  openPage({ tunnel, page, fetch }: PushOptions): (push: Push) => number | null {
    const { user, userClass } = page.flow;
    const waiting: (() => void)[] = [];
    const streams = new Set<TunnelStream>();
    let running = 0;
    page.once('close', () => {
      if (!page.writableFinished) for (const stream of streams) stream.destroy();
    });
    const next = () => {
      if (running < maxAtOnce) waiting.shift()?.();
    };
    return (push) => {
      const ofUser = this.#open.get(user) ?? 0;
      if (ofUser >= maxOfUser || this.#openCount >= maxOfAll) return null;
      if (page.destroyed && !page.writableFinished) return null;
      const stream = tunnel.open({ user, userClass, rank: rankOf[push.wanted.type] ?? ranks.other });
      streams.add(stream);
      this.#open.set(user, ofUser + 1);
      this.#openCount += 1;
      stream.on('error', () => undefined);
      stream.on('stopped', () => stream.destroy());
      stream.resume();
      stream.once('close', () => {
        streams.delete(stream);
        this.#close(user);
      });
      waiting.push(() => {
        running += 1;
        const work = stream.destroyed ? Promise.resolve() : fetch(push, stream);
        void work.finally(() => {
          running -= 1;
          next();
        });
      });
      next();
      return stream.id;
    };
  }

  #close(user: string): void {
    this.#openCount -= 1;
    const left = this.#open.get(user)! - 1;
    if (left === 0) this.#open.delete(user);
    else this.#open.set(user, left);
  }
}
