import type { Display } from '#core/page-objects/display.ts';
import { findHeader, listPairs, type HeaderList } from '#core/http1/header-list.ts';
import { readSpeculation, type RequestHead } from '../../exchange/heads.ts';
import type { OriginConnections } from '../origin-connections.ts';
import type { AnswerPacker } from '../compress/answer-packer.ts';
import type { GroundCounters } from '../ground-counters.ts';
import type { OriginAnswer } from '../origin-request.ts';
import { ask, type CountOfUser } from '../serve-user-request.ts';
import type { ElementRooms } from './element-rooms.ts';
import { type AnswerScan, isPage, PageBundle, type Push } from './page-bundle.ts';
import { ranks, type Rank } from '../../scheduler/flow.ts';
import type { ObjectType } from '#core/page-objects/wish.ts';
import type { Tunnel } from '../../tunnel/tunnel.ts';
import type { TunnelStream } from '../../tunnel/tunnel-stream.ts';

/** Longer objects wait until the browser asks, which may not want them. The other end holds and buffers as much: so each leaves its place to the next one. */
const maxPushBytes = 768 * 1024;

interface Asked {
  head: RequestHead;
  stream: TunnelStream;
  tunnel: Tunnel;
}

interface BundlerOptions {
  origins: OriginConnections;
  packer: AnswerPacker;
  display: Display;
  count: GroundCounters['add'];
  rooms: ElementRooms;
}

/** Fetches ahead what pages need. */
export class Bundler {
  readonly #origins: OriginConnections;
  readonly #packer: AnswerPacker;
  readonly #display: Display;
  readonly #count: GroundCounters['add'];
  readonly #pushes = new PushStreams();
  readonly #rooms: ElementRooms;

  /** `display` is that of browsers that do not say theirs. */
  constructor({ origins, packer, display, count, rooms }: BundlerOptions) {
    this.#origins = origins;
    this.#packer = packer;
    this.#count = count;
    this.#rooms = rooms;
    this.#display = display;
  }

  /** What looks for objects in the answer to a request; null for a request that is not for a page. */
  scanPages({ head, stream, tunnel }: Asked): ((answer: OriginAnswer) => AnswerScan | null) | null {
    if (!isForPage(head)) return null;
    return (answer) => {
      if (!isPage(answer) || stream.closed) return null;
      const room = this.#rooms.open(head.user);
      const push = this.#pushes.openPage({
        ...{ tunnel, page: stream, fetch: (each, its) => this.#fetch(each, its) },
        onOver: () => room[Symbol.dispose](),
      });
      const page = {
        head,
        setCookies: listPairs(answer.headers).flatMap(([name, value]) =>
          name.toLowerCase() === 'set-cookie' ? [value] : [],
        ),
      };
      const display = readDisplay(head.headers, this.#display);
      const bundle = new PageBundle(page, { display, push, hasRoom: () => room.take() });
      return bundle.scanPage(answer, { url: head.url, depth: 0 });
    };
  }

  /** An answer that cannot be had is not sent: the browser's own request shows why. */
  async #fetch({ head, scan }: Push, stream: TunnelStream): Promise<void> {
    const chooseScan = (answer: OriginAnswer) =>
      Number(findHeader(answer.headers, 'content-length') ?? 0) > maxPushBytes ? 'unwanted' : scan(answer);
    const count: CountOfUser = (name, by) => this.#count(head.user, name, by);
    const [origins, packer] = [this.#origins, this.#packer];
    count('pushes');
    try {
      await ask({ stream, head, records: noRecords(), origins, packer, chooseScan, count }, true);
    } catch {
      stream.end(() => stream.destroy());
    }
  }
}

async function* noRecords(): AsyncGenerator<never> {
  // A push has no request that comes by its stream.
}

/** Scripts ask for pages too, and show no more of them than they like. A page that is prefetched may never be shown. */
function isForPage(head: RequestHead): boolean {
  const { method, headers, isUpgrade } = head;
  if (method !== 'GET' || isUpgrade || findHeader(headers, 'range') !== null) return false;
  if (readSpeculation(head) === 'prefetch') return false;
  const destination = findHeader(headers, 'sec-fetch-dest');
  if (destination !== null) return ['document', 'iframe', 'frame'].includes(destination);
  return /\btext\/html\b/i.test(findHeader(headers, 'accept') ?? '');
}

/** The display that a browser says it has, by client hints; else the usual one. */
function readDisplay(headers: HeaderList, usual: Display): Display {
  const read = (name: string, bounds: { min: number; max: number }): number | null => {
    const value = Number(findHeader(headers, `sec-ch-${name}`) ?? NaN);
    return value >= bounds.min && value <= bounds.max ? value : null;
  };
  return {
    widthPx: read('viewport-width', { min: 1, max: 20_000 }) ?? usual.widthPx,
    heightPx: read('viewport-height', { min: 1, max: 20_000 }) ?? usual.heightPx,
    scaleRatio: read('dpr', { min: 0.1, max: 10 }) ?? usual.scaleRatio,
  };
}

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

interface PushOptions {
  tunnel: Tunnel;
  /** The page's stream: when the page is given up, so is what was fetched for it. */
  page: TunnelStream;
  /** Asks the origin, and sends the answer. Resolves when that is over. */
  fetch: (push: Push, stream: TunnelStream) => Promise<void>;
  /** The page and all pushes for it are over. */
  onOver: () => void;
}

/** The streams by which the ground end sends what nobody has asked for yet. */
export class PushStreams {
  readonly #open = new Map<string, number>();
  #openCount = 0;

  /** What sends the pushes of one page. Its function returns the number of the stream, or null when there is no room. */
  openPage({ tunnel, page, fetch, onOver }: PushOptions): (push: Push) => number | null {
    const { user, userClass } = page.flow;
    // By rank: what holds up the drawing of a page passes the images before it, as it does on the link.
    const waiting = Object.values(ranks).map((): (() => void)[] => []);
    const streams = new Set<TunnelStream>();
    let running = 0;
    const endIfOver = () => {
      if (page.closed && streams.size === 0) onOver();
    };
    page.once('close', () => {
      if (!page.writableFinished) for (const stream of streams) stream.destroy();
      endIfOver();
    });
    const next = () => {
      if (running < maxAtOnce) waiting.find(({ length }) => length > 0)?.shift()!();
    };
    return (push) => {
      const ofUser = this.#open.get(user) ?? 0;
      if (ofUser >= maxOfUser || this.#openCount >= maxOfAll) return null;
      if (page.destroyed && !page.writableFinished) return null;
      const rank = rankOf[push.wanted.type] ?? ranks.other;
      const stream = tunnel.open({ user, userClass, rank });
      streams.add(stream);
      this.#open.set(user, ofUser + 1);
      this.#openCount += 1;
      stream.on('error', () => undefined);
      stream.on('stopped', () => stream.destroy());
      stream.resume();
      stream.once('close', () => {
        streams.delete(stream);
        this.#close(user);
        endIfOver();
      });
      waiting[rank]!.push(() => {
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
