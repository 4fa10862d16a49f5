import { assertNever } from '../../assert-never.ts';
import { hasLedNowhere } from '../../metrics/request-outcome.ts';
import { SettleRule } from '../../metrics/settle-rule.ts';
import type { NetworkRequest } from '../../metrics/network-request.ts';
import { gaveFile, goneAway, type ActivityEvent, type EventOf, type RequestEnd } from './activity-event.ts';
import { FrameTree } from './frame-tree.ts';
import { isOfFormer, PageDocuments, type PageDocument } from './page-documents.ts';
import { TrackedRequest } from './tracked-request.ts';

/**
 * What one page does: which requests are in flight, how each ended, and which documents came one after another. The events of a browser go in. It has neither a browser nor a clock, so that all engines
 * decide alike.
 */
export class PageActivity {
  readonly #mainFrameId: string;
  readonly #tracked = new Map<string, TrackedRequest>();
  readonly #awaited = new Set<string>();
  readonly #frames = new FrameTree();
  readonly #parentOfTarget = new Map<string, string | null>();
  readonly #navigationStarts = new Map<string, { navigationId: string | null; atEpochMs: number }>();
  readonly #settleRule = new SettleRule();
  readonly #documents = new PageDocuments();
  #hasLoaded = false;
  /** The navigation of the page that is under way. */
  #navigatingId: string | null = null;
  #changes = 0;

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId;
  }

  /** Whether the page's load event has fired and nothing that settling waits for is in flight. */
  get isQuiet(): boolean {
    return this.#hasLoaded && this.#navigatingId === null && this.#awaited.size === 0;
  }

  /** Whether a page has come, with nothing in flight, and all that is not known is whether it has loaded. */
  get isLoadAwaited(): boolean {
    return !(this.#hasLoaded && this.#navigatingId === null) && this.#awaited.size === 0 && this.mainDocument !== null;
  }

  /** Whether a navigation of the page is under way: it has neither brought a document nor led nowhere. */
  get isNavigating(): boolean {
    return this.#navigatingId !== null;
  }

  /** Frames within the page. */
  get frameCount(): number {
    return this.#frames.size;
  }

  /** Grows with each change of what settling waits for. */
  get changes(): number {
    return this.#changes;
  }

  get requests(): NetworkRequest[] {
    return [...this.#tracked.values()].filter(({ place }) => !place.isPrerendered).flatMap(({ hops }) => hops);
  }

  /** The page's documents, one after another, since the first request. */
  get documents(): readonly PageDocument[] {
    return this.#documents.list;
  }

  /** The last hop of the page's last navigation, of those that led anywhere if any did. */
  get mainDocument(): NetworkRequest | null {
    const documents = Array.from(this.#tracked.values(), ({ last }) => last).filter(
      (request) => request.isMainDocument,
    );
    return documents.findLast((request) => !hasLedNowhere(request)) ?? documents.at(-1) ?? null;
  }

  /** What settling waits for. */
  get awaited(): NetworkRequest[] {
    return [...this.#awaited].map((id) => this.#tracked.get(id)!.first);
  }

  /** The hop of a request, the last one unless it is named. */
  find(id: string, hop?: number): NetworkRequest | null {
    return this.#tracked.get(id)?.find(hop) ?? null;
  }

  apply(event: ActivityEvent): void {
    switch (event.kind) {
      case 'request-began':
        return this.#begin(event);
      case 'answer-came':
        return this.#noteAnswer(event);
      case 'data-came':
        return this.#noteData(event);
      case 'request-ended':
        return this.#end(event.id, event.end, event.hop);
      case 'request-explained':
        return this.#explain(event);
      case 'request-withdrawn':
        return this.#withdraw(event);
      case 'file-given':
        return this.#noteFile(event);
      case 'navigation-began':
        this.#navigationStarts.set(event.frameId, event);
        return;
      case 'document-came':
        return this.#replaceDocument(event);
      case 'frame-came':
        return this.#frames.add(event.frameId, event.parentFrameId);
      case 'frame-gone':
        return this.#endFrame(event);
      case 'target-came':
        this.#parentOfTarget.set(event.targetId, event.parentTargetId);
        return;
      case 'target-gone':
        return this.#endTarget(event);
      case 'loaded':
        this.#hasLoaded = true;
        if (event.isSure) this.#navigatingId = null;
        this.#changes++;
        return;
      case 'silence':
        return this.#endInVain(event);
      default:
        return assertNever(event);
    }
  }

  #begin({ request, place = {} }: EventOf<'request-began'>): void {
    const { id, hop, type, url, isMainDocument, startEpochMs } = request;
    const known = this.#tracked.get(id);
    if (known?.hops.some((each) => each.hop === hop)) return;
    if (known) {
      const { endedBy: by, failure } = known.last;
      known.redirect(request);
      // Who had asked for it is gone: nobody waits for where it leads.
      if (by === 'document-replaced' || by === 'target-gone')
        return this.#end(id, { atEpochMs: startEpochMs, by, failure });
      if (known.delaysSettling) this.#await(id);
      return;
    }
    if (this.#frames.isInViewer(place.frameId ?? null)) return;
    const tracked = new TrackedRequest(request, place);
    this.#tracked.set(id, tracked);
    if (tracked.place.isPrerendered) return;
    // A document that goes may ask for more, as to report that it goes: nobody hears of an end.
    if (type !== 'document' && this.#isOfReplaced(tracked))
      return this.#end(id, { atEpochMs: startEpochMs, by: 'document-replaced', failure: null });
    if (isMainDocument) {
      this.#navigatingId = id;
      this.#navigationStarts.set(this.#mainFrameId, { navigationId: id, atEpochMs: startEpochMs });
    }
    if (this.#decideDelay(tracked, { type, url })) this.#await(id);
  }

  #decideDelay(tracked: TrackedRequest, { type, url }: Pick<NetworkRequest, 'type' | 'url'>): boolean {
    const hasLoaded = this.#hasLoaded && this.#navigatingId === null;
    tracked.delaysSettling = this.#settleRule.delaysSettling({ type, url, hasLoaded });
    return tracked.delaysSettling;
  }

  #await(id: string): void {
    if (this.#awaited.has(id)) return;
    this.#awaited.add(id);
    this.#changes++;
  }

  #noteAnswer(event: EventOf<'answer-came'>): void {
    const { id } = event;
    const type = this.#tracked.get(id)?.noteAnswer(event) ?? null;
    if (type !== null) this.#explain({ kind: 'request-explained', id, fields: { type } });
  }

  #noteData(event: EventOf<'data-came'>): void {
    const tracked = this.#tracked.get(event.id);
    if (tracked?.continue() && tracked.delaysSettling) this.#await(event.id);
    const end = tracked?.noteData(event);
    if (end) this.#end(event.id, end);
  }

  #end(id: string, end: RequestEnd, hop?: number): void {
    const tracked = this.#tracked.get(id);
    if (!tracked?.end(end, hop)) return;
    if (hasLedNowhere(tracked.last)) this.#noteLedNowhere(id);
    if (this.#awaited.delete(id)) this.#changes++;
  }

  /** Of a request that has ended already, only the failure is new: it had led nowhere. */
  #noteFile({ url, atEpochMs }: EventOf<'file-given'>): void {
    const tracked = [...this.#tracked.values()].findLast((each) => each.first.isMainDocument && each.isOnWayTo(url));
    if (!tracked) return;
    const request = tracked.last;
    if (!tracked.hasEnded) this.#end(request.id, { atEpochMs, by: 'network', failure: gaveFile });
    if (hasLedNowhere(request)) return;
    request.failure = gaveFile;
    this.#noteLedNowhere(request.id);
  }

  /** The page stays where it was. Where there was none, there is no load event to wait for. */
  #noteLedNowhere(id: string): void {
    if (this.#navigatingId !== id) return;
    this.#navigatingId = null;
    if (this.#documents.list.length === 0) this.#hasLoaded = true;
    this.#changes++;
  }

  #explain({ id, fields }: EventOf<'request-explained'>): void {
    const request = this.find(id);
    if (!request) return;
    Object.assign(request, fields);
    const tracked = this.#tracked.get(id)!;
    if (fields.type === undefined || !tracked.delaysSettling) return;
    const delays = this.#decideDelay(tracked, { type: fields.type, url: request.url });
    if (!delays && this.#awaited.delete(id)) this.#changes++;
  }

  #withdraw({ id, hop }: EventOf<'request-withdrawn'>): void {
    if (!this.#tracked.get(id)?.withdraw(hop)) return;
    this.#tracked.delete(id);
    if (this.#navigatingId === id) this.#navigatingId = null;
    if (this.#awaited.delete(id)) this.#changes++;
  }

  #replaceDocument({ frameId, documentId, url, atEpochMs, isRestored = false }: EventOf<'document-came'>): void {
    // The empty document of a new tab, which may be reported late.
    if (frameId === this.#mainFrameId && url === 'about:blank' && !this.#documents.last) return;
    const adopted = [...this.#tracked.values()].filter((tracked) => tracked.adopt(documentId, url));
    const began = this.#navigationStarts.get(frameId);
    const asked = this.#tracked.get(documentId ?? '') ?? this.#findUnnamed(frameId, url);
    if (asked) asked.hasCome = true;
    const own = asked?.first ?? null;
    const startEpochMs = own?.startEpochMs ?? began?.atEpochMs ?? null;
    this.#navigationStarts.delete(frameId);
    const formerUrl = frameId === this.#mainFrameId ? this.#documents.last?.url : undefined;
    const answeredEpochMs = (!this.#frames.hasShown(frameId) && asked?.last.responseEpochMs) || Infinity;
    const below = this.#frames.replaceDocument(frameId, documentId, url);
    const leftUrl = formerUrl === url ? undefined : formerUrl;
    const arrival = { frameId, documentId, startEpochMs: startEpochMs ?? atEpochMs, answeredEpochMs, leftUrl, below };
    this.#endWhere((tracked) => isOfFormer(tracked, arrival), { atEpochMs, by: 'document-replaced', failure: null });
    if (frameId !== this.#mainFrameId) return;
    this.#documents.add({ id: documentId, url, startEpochMs }, atEpochMs);
    // The browser's own page about a failure has no load event in Firefox.
    this.#hasLoaded = isRestored || asked?.hasNoAnswer === true;
    for (const tracked of adopted)
      if (!tracked.hasEnded && this.#decideDelay(tracked, tracked.first)) this.#await(tracked.first.id);
    if (own === null || own.id === this.#navigatingId || this.#hasOnlyEnded(this.#navigatingId))
      this.#navigatingId = null;
    this.#changes++;
  }

  /** The request of a document that the browser gives no id, or another, as extensions have it: of its frame the last for its address that has not come. When it began is more certain than when the browser reported a navigation. */
  #findUnnamed(frameId: string, url: string): TrackedRequest | undefined {
    return [...this.#tracked.values()].findLast(
      (each) => each.place.frameId === frameId && each.first.type === 'document' && each.isOnWayTo(url),
    );
  }

  #hasOnlyEnded(id: string | null): boolean {
    return id !== null && (this.#tracked.get(id)?.hasEnded ?? true);
  }

  /** Whether a document asks that another has replaced, by its id, or where the browser gives none, by its address. */
  #isOfReplaced({ first, place: { frameId, documentId, documentUrl } }: TrackedRequest): boolean {
    if (documentId !== null) return this.#frames.isReplaced(documentId);
    return frameId === this.#mainFrameId && this.#documents.hasLeft(documentUrl, first.startEpochMs);
  }

  #endFrame({ frameId, atEpochMs }: EventOf<'frame-gone'>): void {
    const gone = this.#frames.remove(frameId);
    this.#endWhere(({ place }) => place.frameId !== null && gone.has(place.frameId), {
      atEpochMs,
      by: 'document-replaced',
      failure: null,
    });
  }

  #endTarget({ targetId, atEpochMs }: EventOf<'target-gone'>): void {
    const isGone = (id: string | null): boolean =>
      id !== null && (id === targetId || isGone(this.#parentOfTarget.get(id) ?? null));
    // The rest of a document comes in the process that its frame moves to.
    this.#endWhere(
      ({ first, place }) => isGone(place.targetId) && !(place.frameId !== null && first.type === 'document'),
      { atEpochMs, by: 'target-gone', failure: goneAway },
    );
  }

  /** A body that nobody reads, and of which nothing more comes, has come as far as it will. */
  #endInVain({ atEpochMs }: EventOf<'silence'>): void {
    for (const id of [...this.#awaited]) {
      const end = this.#tracked.get(id)!.findEndInVain(atEpochMs);
      if (end) this.#end(id, end);
    }
  }

  #endWhere(isMeant: (tracked: TrackedRequest) => boolean, end: RequestEnd): void {
    for (const [id, tracked] of this.#tracked) {
      const atEpochMs = Math.max(end.atEpochMs, tracked.last.startEpochMs);
      if (!tracked.hasEnded && isMeant(tracked)) this.#end(id, { ...end, atEpochMs });
    }
  }
}
