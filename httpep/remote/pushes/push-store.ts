import { actEvery, realTime, type Time } from '#core/clock/time.ts';
import { isSafe, PromiseSchema, readSpeculation, type RequestHead } from '../../exchange/heads.ts';
import { unpack } from '../../exchange/pack.ts';
import type { Tunnel } from '../../tunnel/tunnel.ts';
import type { TunnelStream } from '../../tunnel/tunnel-stream.ts';
import { HeldPush, type PushOwner } from './held-push.ts';
import { findHeader } from '#core/http1/header-list.ts';
import { isOfLoad, matchesRequest } from './may-use-held.ts';

/** What nobody has asked for is given up when the page has been still for so long. */
const heldMs = 30_000;
/** So is what is no longer fresh, or was never to be stored: it is for the load that is under way alone. */
const staleMs = 2000;
/** How often it looks, in that time. */
const lookCount = 30;
/** How many promises a user may have. */
const maxOfUser = 512;
/** How many streams may wait for their promise. */
const maxEarly = 256;
/** How many bytes may be held for all users together. */
const maxBytes = 128 * 1024 * 1024;
/** How many bytes may be held for one user. */
const maxBytesOfUser = 16 * 1024 * 1024;

export interface PushCounts {
  promised: number;
  /** Handed to a browser. */
  used: number;
  /** Given up, or asked for in another way. */
  unused: number;
  /** Of bodies that came in vain. */
  unusedBytes: number;
}

interface UserPushes {
  byUrl: Map<string, HeldPush>;
  heldBytes: number;
  pages: Set<PushOwner>;
}

/** Holds answers until their user asks for them, once. */
export class PushStore implements Disposable {
  readonly counts: PushCounts = { promised: 0, used: 0, unused: 0, unusedBytes: 0 };
  readonly #tunnel: Tunnel;
  readonly #users = new Map<string, UserPushes>();
  readonly #byStream = new Map<number, HeldPush>();
  /** Streams that overtook their promise. */
  readonly #early = new Map<number, { stream: TunnelStream; atMs: number }>();
  readonly #clock: Time['clock'];
  readonly #end = new AbortController();
  #heldBytes = 0;
  #isLosing = false;

  constructor(tunnel: Tunnel, { clock, sleep }: Time = realTime) {
    this.#tunnel = tunnel;
    this.#clock = clock;
    tunnel.on('stream', (stream) => this.#accept(stream));
    tunnel.on('lost', () => this.#lose());
    actEvery(heldMs / lookCount, () => this.#look(clock()), { sleep, signal: this.#end.signal });
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#lose();
  }

  /** Keeps what the ground end says it will send for a page. Throws `protocol` for what is no promise. */
  promise(owner: PushOwner, bytes: Buffer): void {
    const { asked, objects } = unpack(bytes, PromiseSchema);
    for (const [streamId, url, place] of objects) {
      owner.urls.add(url);
      this.counts.promised += 1;
      owner.count('promised');
      const push = new HeldPush(
        { streamId, url, asked: asked[place] ?? [], owner },
        {
          onActive: () => this.#touch(owner),
          clock: this.#clock,
          onHeld: (more) => this.#count(owner.user, more),
          onPromise: (_, nested) => this.promise(owner, nested),
          onGone: (gone) => this.#forget(gone),
        },
      );
      this.#add(push);
    }
  }

  /** What answers the request, which is held no longer; null for nothing. What is held for a page is for its load alone. */
  claim(head: RequestHead): HeldPush | null {
    const user = this.#users.get(head.user);
    if (!user) return null;
    if (isSafe(head)) this.#leavePages(head, user);
    else this.leaveOrigin(head);
    const push = user.byUrl.get(head.url);
    if (!push || !isOfLoad(head, push.owner.urls)) return null;
    user.byUrl.delete(head.url);
    const heldMs = this.countHeldMs(push);
    const isStale = heldMs >= push.freshMs && this.#clock() - push.owner.activeMs > staleMs;
    if (isStale || !matchesRequest(head, { asked: push.asked, heldMs })) {
      push.drop();
      return null;
    }
    push.isClaimed = true;
    this.#touch(push.owner);
    return push;
  }

  /** How long the answer has been held, in ms. */
  countHeldMs({ answeredMs }: HeldPush): number {
    return Math.max(0, this.#clock() - answeredMs);
  }

  /** Gives up what a page has not asked for. */
  leave({ held }: PushOwner): void {
    for (const push of [...held]) if (!push.isClaimed) push.drop();
  }

  /** Gives up what is held of a web server that was asked to change something. To be done again when it has answered: more may have come meanwhile. */
  leaveOrigin({ user, url }: RequestHead): void {
    const { origin } = new URL(url);
    const held = this.#users.get(user)?.byUrl.values() ?? [];
    for (const push of [...held]) if (new URL(push.url).origin === origin) push.drop();
  }

  #add(push: HeldPush): void {
    const { owner, url, streamId } = push;
    const early = this.#early.get(streamId);
    this.#early.delete(streamId);
    // First: the user is forgotten with the last push.
    this.#users.get(owner.user)?.byUrl.get(url)?.drop();
    let user = this.#users.get(owner.user);
    if (!user) {
      user = { byUrl: new Map(), heldBytes: 0, pages: new Set() };
      this.#users.set(owner.user, user);
    }
    user.byUrl.set(url, push);
    user.pages.add(owner);
    owner.held.add(push);
    this.#byStream.set(streamId, push);
    if (early) push.accept(early.stream);
    if (user.byUrl.size > maxOfUser) dropOldest(user);
  }

  #accept(stream: TunnelStream): void {
    stream.on('error', () => undefined);
    const push = this.#byStream.get(stream.id);
    if (push) push.accept(stream);
    else if (this.#early.size >= maxEarly) stream.destroy();
    else this.#early.set(stream.id, { stream, atMs: this.#clock() });
  }

  #touch(owner: PushOwner): void {
    owner.activeMs = this.#clock();
  }

  #count(name: string, more: number): void {
    this.#heldBytes += more;
    const user = this.#users.get(name);
    if (!user) return;
    user.heldBytes += more;
    while (user.heldBytes > maxBytesOfUser && dropOldest(user));
    for (const each of this.#users.values()) while (this.#heldBytes > maxBytes && dropOldest(each));
  }

  #forget(push: HeldPush): void {
    if (!this.#byStream.delete(push.streamId)) return;
    const { owner, url } = push;
    owner.held.delete(push);
    owner.count(push.isUsed ? 'used' : 'unused');
    if (push.isUsed) this.counts.used += 1;
    else {
      owner.count('unusedBytes', push.receivedBytes);
      this.counts.unused += 1;
      this.counts.unusedBytes += push.receivedBytes;
    }
    if (!push.hasStream && !this.#isLosing) this.#tunnel.refuse(push.streamId);
    const user = this.#users.get(owner.user)!;
    if (user.byUrl.get(url) === push) user.byUrl.delete(url);
    if (owner.held.size === 0) user.pages.delete(owner);
    if (user.pages.size === 0) this.#users.delete(owner.user);
  }

  /** Somebody who loads a page again has left it, and so has somebody who goes from it to another one. */
  #leavePages(head: RequestHead, { pages, byUrl }: UserPushes): void {
    const cameFrom = byUrl.has(head.url) ? null : readFormerPage(head);
    for (const page of [...pages]) {
      const isStill = this.#clock() - page.activeMs > staleMs;
      const isFormer = cameFrom?.url === page.pageUrl && (cameFrom.isSure || isStill);
      if (page.pageUrl === head.url || isFormer) this.leave(page);
    }
  }

  /** The numbers of streams are those of another life of the ground end from now on. */
  #lose(): void {
    this.#isLosing = true;
    for (const push of [...this.#byStream.values()]) push.drop();
    this.#isLosing = false;
    for (const { stream } of this.#early.values()) stream.destroy();
    this.#early.clear();
  }

  #look(nowMs: number): void {
    for (const push of [...this.#byStream.values()]) {
      const isStuck = !push.isClaimed || !push.hasStream;
      if (isStuck && nowMs - push.owner.activeMs > heldMs) push.drop();
    }
    for (const [id, { stream, atMs }] of this.#early) {
      if (nowMs - atMs <= heldMs) continue;
      this.#early.delete(id);
      stream.destroy();
    }
  }
}

/** The page on which a link was followed. Over plain HTTP a frame looks as a page does: it is not sure then. Null for other requests. */
function readFormerPage(head: RequestHead): { url: string; isSure: boolean } | null {
  const { method, headers } = head;
  const destination = findHeader(headers, 'sec-fetch-dest');
  const url = findHeader(headers, 'referer');
  if (method !== 'GET' || url === null || !['document', null].includes(destination)) return null;
  if (readSpeculation(head) !== null) return null;
  if (!/\btext\/html\b/i.test(findHeader(headers, 'accept') ?? '')) return null;
  return { url, isSure: destination !== null };
}

/** Of what nobody has asked for; false when there is none. */
function dropOldest({ byUrl }: UserPushes): boolean {
  const [oldest] = byUrl.values();
  oldest?.drop();
  return oldest !== undefined;
}
