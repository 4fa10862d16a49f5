import type { WebRequest } from 'webextension-polyfill';
import { beginRequest } from '#core/metrics/begin-request.ts';
import { SettleRule } from '#core/metrics/settle-rule.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import { requestTypeOf, requestTypeOfHeaders } from './request-type-of.ts';

/** Records the requests of one tab from its webRequest events, and knows what is in flight. */
export class TabRecorder {
  readonly #chains = new Map<string, NetworkRequest[]>();
  readonly #awaited = new Set<string>();
  readonly #settleRule = new SettleRule();
  #hasLoaded = false;
  /** Of the last navigation that failed. */
  #navigationError: string | null = null;
  #activity = Promise.withResolvers<undefined>();
  #lastActivityMs = performance.now();

  /** Whether the page's load event has fired and nothing that settling waits for is in flight. */
  isQuiet(): boolean {
    return this.#hasLoaded && this.#awaited.size === 0 && !this.#isReasonAwaited();
  }

  /** Whether a page has come, with nothing in flight, and all that is not known is whether it has loaded. */
  isLoadAwaited(): boolean {
    return !this.#hasLoaded && this.#awaited.size === 0 && this.mainDocument !== null;
  }

  get quietForMs(): number {
    return performance.now() - this.#lastActivityMs;
  }

  /** Resolves with the next change of what settling waits for. */
  get nextActivity(): Promise<undefined> {
    return this.#activity.promise;
  }

  get requests(): NetworkRequest[] {
    return [...this.#chains.values()].flat();
  }

  /** The last hop of the page's last navigation, of those that led anywhere if any did. */
  get mainDocument(): NetworkRequest | null {
    const documents = Array.from(this.#chains.values(), (chain) => chain.at(-1)!).filter(
      (request) => request.isMainDocument,
    );
    return documents.findLast((request) => !hasLedNowhere(request)) ?? documents.at(-1) ?? null;
  }

  begin(details: WebRequest.OnBeforeRequestDetailsType): void {
    if (!/^https?:/.test(details.url)) return;
    const chain = this.#chains.get(details.requestId) ?? [];
    const type = requestTypeOf(details.type);
    const isMainDocument = details.type === 'main_frame';
    this.#chains.set(details.requestId, [
      ...chain,
      beginRequest({
        id: details.requestId,
        hop: chain.length,
        url: details.url,
        type,
        isMainDocument,
        // Chrome reports the origin only.
        initiatorUrl: details.originUrl ?? null,
        startEpochMs: details.timeStamp,
      }),
    ]);
    if (chain.length > 0) return;
    // The page goes elsewhere: its next document has a load event of its own.
    if (isMainDocument) {
      this.#hasLoaded = false;
      this.#navigationError = null;
    }
    if (!this.#settleRule.delaysSettling({ type, url: details.url, hasLoaded: this.#hasLoaded })) return;
    this.#awaited.add(details.requestId);
    this.#noteActivity();
  }

  send(details: WebRequest.OnSendHeadersDetailsType): void {
    const request = this.#last(details.requestId);
    if (!request) return;
    // No time of sending: this is before the connection.
    const type = requestTypeOfHeaders(details.requestHeaders ?? []);
    if (type === null) return;
    request.type = type;
    if (
      !this.#settleRule.delaysSettling({ ...request, hasLoaded: this.#hasLoaded }) &&
      this.#awaited.delete(details.requestId)
    )
      this.#noteActivity();
  }

  respond(details: WebRequest.OnResponseStartedDetailsType | WebRequest.OnBeforeRedirectDetailsType): void {
    const request = this.#last(details.requestId);
    if (!request) return;
    request.responseEpochMs ??= details.timeStamp;
    request.status = details.statusCode;
    request.fromCache = details.fromCache;
  }

  noteStatus(requestId: string, status: number): void {
    const request = this.#last(requestId);
    if (request) request.status = status;
  }

  /** This hop is over; the next one begins under the same id. */
  redirect(details: WebRequest.OnBeforeRedirectDetailsType): void {
    this.respond(details);
    const request = this.#last(details.requestId);
    if (request) request.endEpochMs = details.timeStamp;
  }

  complete(details: WebRequest.OnCompletedDetailsType): void {
    const request = this.#last(details.requestId);
    // Firefox only; Chrome does not report sizes.
    const { responseSize } = details as { responseSize?: number };
    if (request && responseSize !== undefined && responseSize > 0 && !details.fromCache)
      request.receivedBytes = responseSize;
    this.#end(details.requestId, { atEpochMs: details.timeStamp, failure: null });
  }

  fail(details: WebRequest.OnErrorOccurredDetailsType): void {
    if (isLookInCache(details)) this.#chains.delete(details.requestId);
    this.#end(details.requestId, { atEpochMs: details.timeStamp, failure: details.error });
  }

  /** Chrome reports here why a page did not come, before or after the end of its request: webRequest calls an endless redirect an abortion. */
  noteNavigationError(error: string): void {
    this.#navigationError = error;
    this.#explainFailure();
    this.#noteActivity();
  }

  noteLoaded(): void {
    this.#hasLoaded = true;
    this.#noteActivity();
  }

  #end(requestId: string, end: { atEpochMs: number; failure: string | null }): void {
    const request = this.#last(requestId);
    if (request) this.#noteEnd(request, end);
    if (this.#awaited.delete(requestId)) this.#noteActivity();
  }

  #noteEnd(request: NetworkRequest, end: { atEpochMs: number; failure: string | null }): void {
    request.endEpochMs = end.atEpochMs;
    request.failure = end.failure?.slice(0, 1024) ?? null;
    this.#explainFailure();
    // The page stays where it was, or shows what came of it: there is no load event to wait for.
    const isNoPage = request.failure !== null || request.status === 204 || request.status === 205;
    if (request.isMainDocument && isNoPage) this.#hasLoaded = true;
  }

  #explainFailure(): void {
    const { mainDocument } = this;
    if (!mainDocument || this.#navigationError === null) return;
    // A status of 400 or more, and no byte: Chrome shows a page of its own, which has no load event for extensions.
    const isErrorPage = this.#navigationError === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE';
    if (!isErrorPage && !(hasLedNowhere(mainDocument) && /^net::ERR_(?!ABORTED)/.test(this.#navigationError))) return;
    mainDocument.failure = this.#navigationError;
    if (isErrorPage) this.#hasLoaded = true;
  }

  /** Chrome always reports why a navigation gave no page, on a busy machine long after its request has ended. */
  #isReasonAwaited(): boolean {
    const { failure, status } = this.mainDocument ?? { failure: null, status: null };
    return (
      failure === 'net::ERR_ABORTED' &&
      (status === null || (status >= 300 && status < 400)) &&
      this.#navigationError === null
    );
  }

  #last(requestId: string): NetworkRequest | undefined {
    return this.#chains.get(requestId)?.at(-1);
  }

  #noteActivity(): void {
    this.#lastActivityMs = performance.now();
    this.#activity.resolve(undefined);
    this.#activity = Promise.withResolvers();
  }
}

/** Chrome asks its cache alone for a font before it asks the network, and calls that a request that failed: nothing was sent. */
function isLookInCache({ error, type }: WebRequest.OnErrorOccurredDetailsType): boolean {
  return error === 'net::ERR_CACHE_MISS' && type !== 'main_frame' && type !== 'sub_frame';
}

/** A navigation that gave no page: a download, no content, or another navigation came first; in Chrome's words and in Firefox's. */
export function hasLedNowhere({ failure }: NetworkRequest): boolean {
  return failure === 'net::ERR_ABORTED' || failure === 'NS_BINDING_ABORTED';
}
