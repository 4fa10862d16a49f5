import { hasLedElsewhere } from './navigation-start.ts';
import { comesOverNetwork, withoutFragment, type PageObject } from './page-object.ts';
import { hasFailed, outcomeOf } from './request-outcome.ts';
import type { FrameSnapshot, ResourceEntry } from './frame-snapshot.ts';
import type { NetworkRequest } from './network-request.ts';
import type { Snapshot } from './snapshot.ts';

/** How far the clock of a page and that of its engine may be apart. */
const clockSlackMs = 100;

/** Most metrics need them, of the same Snapshot. */
const known = new WeakMap<Snapshot, readonly PageObject[]>();

/**
 * Everything that the page fetched, once each. The end of an object is the probe's, and where the page cannot see it (objects of
 * opaque style sheets, frames, what is in flight) the engine's.
 */
export function findPageObjects(snapshot: Snapshot): readonly PageObject[] {
  const found = known.get(snapshot) ?? listPageObjects(snapshot);
  known.set(snapshot, found);
  return found;
}

function listPageObjects(snapshot: Snapshot): PageObject[] {
  const isLater = hasLedElsewhere(snapshot);
  const chains = new RequestChains(snapshot.requests.filter((request) => comesOverNetwork(request.url)));
  // An earlier document of the page may have asked for the same, as one that a service worker takes over, just before it was left.
  const earliestOf = (frame: FrameSnapshot, documentEpochMs = frame.timeOrigin - clockSlackMs) =>
    isLater ? documentEpochMs : -Infinity;
  const documents = snapshot.frames.flatMap((frame) =>
    describeDocument(frame, { chains, earliest: earliestOf(frame) }),
  );
  const askedEpochMs = new Map(documents.map(({ frame, hops }) => [frame, hops[0]?.startEpochMs]));
  const reportedByThemselves = findAddressesOf(documents, snapshot.frames);
  const resources = snapshot.frames.flatMap((frame) =>
    frame.resources
      .filter((entry) => comesOverNetwork(entry.name))
      .filter((entry) => !(isFrameEntry(entry) && reportedByThemselves.has(withoutFragment(entry.name))))
      .map((entry) => describeResource(entry, { frame, chains, earliest: earliestOf(frame, askedEpochMs.get(frame)) })),
  );
  const objects = [...documents, ...resources, ...chains.takeRest().map(describeChain)];
  // What the browser forbade before it asked for it, as by a policy of the page, is no object. Chrome has two entries of one.
  const forbidden = new Set(
    objects.filter((object) => wasForbidden(object) || wasNotFollowed(object)).map(({ url }) => url),
  );
  return objects.filter(
    (object) => !wasForbidden(object) && !(object.hops.length === 0 && (forbidden.has(object.url) || isEmpty(object))),
  );
}

/** An entry that begins and ends at once, with neither an answer nor a byte: of what was forbidden, where no engine reports that. That of a frame may take a while. */
function isEmpty({ entry }: PageObject): boolean {
  if (!entry) return false;
  const { startTime, responseEnd, transferSize, decodedBodySize, responseStatus, nextHopProtocol } = entry;
  if (entry.elementEventMs !== undefined) return false;
  const isAtOnce = responseEnd > 0 && responseEnd === startTime;
  return (
    (isAtOnce || isFrameEntry(entry)) &&
    nextHopProtocol === '' &&
    transferSize === 0 &&
    decodedBodySize === 0 &&
    !responseStatus
  );
}

/** Chrome reports no request of a frame that a policy of the page forbids, and shows an error page of its own there. */
function wasForbidden({ hops, type, frame, entry }: PageObject): boolean {
  const last = hops.at(-1);
  if (last !== undefined) return outcomeOf(last) === 'never-sent';
  return type === 'document' && entry === null && frame !== null && /^chrome-error:/.test(frame.url);
}

/** A redirect that a policy of the page forbids to follow. */
function wasNotFollowed({ hops }: PageObject): boolean {
  return hops.at(-1)?.failure?.endsWith('(csp)') ?? false;
}

/** What ends the object where both know: the probe's entry is there once all of it has arrived. */
function describeResource(
  entry: ResourceEntry,
  { frame, chains, earliest }: { frame: FrameSnapshot; chains: RequestChains; earliest: number },
): PageObject {
  const startEpochMs = frame.timeOrigin + entry.startTime;
  const hops = chains.takeByFirstUrl(entry.name, startEpochMs, earliest) ?? [];
  const failedStatus = (entry.responseStatus ?? 0) >= 400;
  return {
    url: withoutFragment(entry.name),
    type: hops[0]?.type ?? typeOf(entry, frame),
    frame,
    startEpochMs,
    endEpochMs: findEnd(entry, { frame, hops }),
    failed: hops.length > 0 ? haveFailed(hops) : failedStatus,
    hops,
    entry,
  };
}

/**
 * In Firefox, the entry of what a service worker served ends when it begins, which cannot be: the network event has the end, or where that has none either, as in the extension, the element. So it has of what was given up, which in Chrome ends
 * with its head. Chrome ends the entry of a frame of another origin with the frame's load event.
 */
function findEnd(
  entry: ResourceEntry,
  { frame, hops }: { frame: FrameSnapshot; hops: readonly NetworkRequest[] },
): number | null {
  const { startTime, responseEnd } = entry;
  const last = hops.at(-1);
  const entryEnd = responseEnd > 0 ? frame.timeOrigin + responseEnd : null;
  const shownEnd = entry.elementEventMs === undefined ? null : frame.timeOrigin + entry.elementEventMs;
  if (last === undefined || last.status === 0) return shownEnd ?? entryEnd;
  if (entryEnd === null || responseEnd <= startTime || isFrameEntry(entry)) return last.endEpochMs;
  return outcomeOf(last) === 'given-up' ? (last.endEpochMs ?? entryEnd) : entryEnd;
}

function describeDocument(
  frame: FrameSnapshot,
  { chains, earliest }: { chains: RequestChains; earliest: number },
): PageObject[] {
  const { navigation, timeOrigin } = frame;
  if (!navigation || !comesOverNetwork(navigation.name)) return [];
  const hops = chains.takeDocument(navigation.name, timeOrigin, earliest) ?? [];
  // Firefox's entry repeats the start of the response as its end; the older value is right.
  const probeEnd = Math.max(
    navigation.responseEnd && timeOrigin + navigation.responseEnd,
    navigation.legacyResponseEndEpochMs ?? 0,
  );
  const isInFlight = hops.length > 0 && hops.at(-1)!.endEpochMs === null;
  return [
    {
      url: withoutFragment(hops[0]?.url ?? navigation.name),
      type: 'document',
      frame,
      startEpochMs: timeOrigin,
      endEpochMs: isInFlight || probeEnd === 0 ? (hops.at(-1)?.endEpochMs ?? null) : probeEnd,
      failed: hops.length > 0 ? haveFailed(hops) : (navigation.responseStatus ?? 0) >= 400,
      hops,
      entry: null,
    },
  ];
}

function describeChain(hops: RequestChain): PageObject {
  const { url, type, startEpochMs } = hops[0];
  return {
    url: withoutFragment(url),
    type,
    frame: null,
    startEpochMs,
    endEpochMs: hops.at(-1)!.endEpochMs,
    failed: haveFailed(hops),
    hops,
    entry: null,
  };
}

function haveFailed(hops: readonly NetworkRequest[]): boolean {
  const last = hops.at(-1);
  return last !== undefined && hasFailed(last);
}

/** The addresses under which a parent's entries may name a frame that reported for itself. */
function findAddressesOf(documents: readonly PageObject[], frames: readonly FrameSnapshot[]): Set<string> {
  const needs = frames.flatMap((parent) =>
    (parent.viewportNeeds ?? []).filter((need) => need.kind === 'frame').map((need) => ({ parent, need })),
  );
  const reported = new Set(documents.map((document) => document.frame && JSON.stringify(document.frame.path)));
  const fromNeeds = needs
    .filter(({ parent, need }) => reported.has(JSON.stringify([...parent.path, need.frameIndex])))
    .map(({ need }) => need.url);
  return new Set([...documents.map((document) => document.url), ...fromNeeds].map(withoutFragment));
}

/** A cross-origin frame's entry in its parent may end far too late: with the frame's load event. */
function isFrameEntry(entry: ResourceEntry): boolean {
  return ['iframe', 'frame', 'object', 'embed'].includes(entry.initiatorType);
}

/** The kind of request of an entry, where no engine reports it. */
function typeOf(entry: ResourceEntry, frame: FrameSnapshot): PageObject['type'] {
  if (frame.prefetchUrls.includes(entry.name)) return 'prefetch';
  switch (entry.initiatorType) {
    case 'fetch':
    case 'xmlhttprequest':
    case 'other':
    case '':
      return 'fetch';
    case 'beacon':
    case 'ping':
      return 'ping';
    case 'eventsource':
      return 'event-source';
    case 'audio':
      return 'media';
    case 'script':
      return 'script';
    case 'img':
    case 'image':
    case 'input':
      return 'image';
    default:
      return isFrameEntry(entry) ? 'document' : 'other';
  }
}

/** A request and what it was redirected to, in order. */
type RequestChain = readonly [NetworkRequest, ...NetworkRequest[]];

/** The engine's requests as chains, of which each can be taken once. */
class RequestChains {
  readonly #free: Set<RequestChain>;
  readonly #byFirstUrl: Map<string, RequestChain[]>;
  readonly #documentsByLastUrl: Map<string, RequestChain[]>;

  constructor(requests: readonly NetworkRequest[]) {
    const hopsById = Map.groupBy(requests, (request) => request.id);
    const chains = Array.from(
      hopsById.values(),
      (hops) => hops.toSorted((a, b) => a.hop - b.hop) as [NetworkRequest, ...NetworkRequest[]],
    );
    this.#free = new Set(chains);
    this.#byFirstUrl = Map.groupBy(chains, ([first]) => withoutFragment(first.url));
    this.#documentsByLastUrl = Map.groupBy(
      chains.filter(([first]) => first.type === 'document'),
      (chain) => withoutFragment(chain.at(-1)!.url),
    );
  }

  /** Of the chains that began with this URL, and not before the document, the one whose start is nearest. Firefox reports none of an address that it made secure before it asked, but its entry has it. */
  takeByFirstUrl(url: string, startEpochMs: number, documentEpochMs = -Infinity): RequestChain | null {
    const address = withoutFragment(url);
    const take = (firstUrl: string) =>
      this.#takeNearest(this.#byFirstUrl.get(firstUrl), { startEpochMs, documentEpochMs });
    return take(address) ?? (address.startsWith('http:') ? take(address.replace('http:', 'https:')) : null);
  }

  /** Of the documents that ended at this URL, likewise. */
  takeDocument(url: string, startEpochMs: number, documentEpochMs = -Infinity): RequestChain | null {
    return this.#takeNearest(this.#documentsByLastUrl.get(withoutFragment(url)), { startEpochMs, documentEpochMs });
  }

  takeRest(): RequestChain[] {
    const rest = [...this.#free];
    this.#free.clear();
    return rest;
  }

  #takeNearest(
    chains: readonly RequestChain[] = [],
    { startEpochMs, documentEpochMs }: { startEpochMs: number; documentEpochMs: number },
  ): RequestChain | null {
    const distance = ([first]: RequestChain) => Math.abs(first.startEpochMs - startEpochMs);
    let nearest: RequestChain | null = null;
    for (const chain of chains) {
      if (!this.#free.has(chain) || chain[0].startEpochMs < documentEpochMs) continue;
      if (nearest === null || distance(chain) < distance(nearest)) nearest = chain;
    }
    if (nearest) this.#free.delete(nearest);
    return nearest;
  }
}
