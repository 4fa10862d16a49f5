import { describeExcess } from '#core/metrics/read-document-failure.ts';
import { SettleRule } from '#core/metrics/settle-rule.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import type { PageRecorder } from '../browser/browser-page.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import type { ErrorEvent, RequestEvent, ResponseEvent } from './network-events.ts';
import { beginRecord, recordEnd, recordFailure, recordResponse } from './request-record.ts';

/** Records the requests of one page from the network events of all its frames and workers, and knows what is in flight. */
export class NetworkRecorder implements PageRecorder {
  readonly #place: { mainContextId: string; recordsHeaders: boolean };
  /** By id and hop. */
  readonly #records = new Map<string, NetworkRequest>();
  readonly #awaited = new Set<string>();
  /** What settling does not wait for: neither for what it is redirected to. */
  readonly #passedOver = new Set<string>();
  #settleRule = new SettleRule();
  readonly #excess = new AbortController();
  #hasLoaded = false;
  #activity = Promise.withResolvers<undefined>();
  #lastActivityMs = performance.now();

  constructor(place: { mainContextId: string; recordsHeaders: boolean }) {
    this.#place = place;
  }

  isQuiet(): boolean {
    return this.#hasLoaded && this.#awaited.size === 0;
  }

  get quietForMs(): number {
    return performance.now() - this.#lastActivityMs;
  }

  get nextActivity(): Promise<undefined> {
    return this.#activity.promise;
  }

  get excess(): AbortSignal {
    return this.#excess.signal;
  }

  get requests(): NetworkRequest[] {
    return [...this.#records.values()];
  }

  get mainDocument(): NetworkRequest | null {
    const documents = this.requests.filter((request) => request.isMainDocument);
    return documents.findLast((request) => !hasLedNowhere(request)) ?? documents.at(-1) ?? null;
  }

  forget(): void {
    this.#records.clear();
    this.#awaited.clear();
    this.#passedOver.clear();
    this.#settleRule = new SettleRule();
    this.#hasLoaded = false;
    this.#noteActivity();
  }

  noteLoaded(): void {
    this.#hasLoaded = true;
    this.#noteActivity();
  }

  noteRequest(event: RequestEvent): void {
    if (!/^https?:/.test(event.request.url)) return;
    const record = beginRecord(event, this.#place);
    this.#records.set(keyOf(event), record);
    const { id, hop, type, url, isMainDocument } = record;
    // The page goes elsewhere: its next document has a load event of its own.
    if (isMainDocument) this.#hasLoaded = false;
    if (hop === 0 && !this.#settleRule.delaysSettling({ type, url, hasLoaded: this.#hasLoaded }))
      this.#passedOver.add(id);
    if (this.#passedOver.has(id)) return;
    this.#awaited.add(id);
    this.#noteActivity();
  }

  noteResponse(event: ResponseEvent): void {
    const record = this.#records.get(keyOf(event));
    if (!record) return;
    recordResponse(record, event);
    this.#checkLength(record, Number(event.response.headers.get('content-length') ?? 0));
  }

  noteEnd(event: ResponseEvent): void {
    const record = this.#records.get(keyOf(event));
    if (!record) return;
    recordEnd(record, event);
    this.#checkLength(record, event.response.bodySize ?? 0);
    if (this.#isToldAgain(record)) this.#records.delete(keyOf(event));
    this.#noteEnded(record);
  }

  noteFailure(event: ErrorEvent): void {
    const record = this.#records.get(keyOf(event));
    if (!record) return;
    recordFailure(record, event);
    // The page stays where it was: it has loaded already.
    if (record.isMainDocument && hasLedNowhere(record)) this.#hasLoaded = true;
    this.#noteEnded(record);
  }

  /** What a second element takes from memory is reported once more, but is the same object. */
  #isToldAgain({ fromCache, url, id }: NetworkRequest): boolean {
    return fromCache && this.requests.some((other) => other.url === url && other.id !== id);
  }

  #noteEnded({ id }: NetworkRequest): void {
    if (this.#awaited.delete(id)) this.#noteActivity();
  }

  #checkLength({ isMainDocument }: NetworkRequest, bytes: number): void {
    const failure = isMainDocument ? describeExcess(bytes) : null;
    if (failure) this.#excess.abort(new VisitFailure(failure.code, failure.detail));
  }

  #noteActivity(): void {
    this.#lastActivityMs = performance.now();
    this.#activity.resolve(undefined);
    this.#activity = Promise.withResolvers();
  }
}

function keyOf({ request, redirectCount }: Pick<RequestEvent, 'request' | 'redirectCount'>): string {
  return `${request.request} ${redirectCount}`;
}

/** A navigation that gave no page: a download, no content, or another navigation came first. */
function hasLedNowhere({ failure }: NetworkRequest): boolean {
  return failure === 'NS_BINDING_ABORTED';
}
