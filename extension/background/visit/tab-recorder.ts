import type { WebNavigation, WebRequest } from 'webextension-polyfill';
import { ledOutside } from '#core/agent/page-activity/activity-event.ts';
import { ActivityRecorder } from '#core/agent/page-activity/activity-recorder.ts';
import { isWithoutPage } from '#core/metrics/page-failure.ts';
import { isGivenUp, beginRequest } from '#core/metrics/request-outcome.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';

/** https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/webRequest/ResourceType; what is not here is `other`. */
const types: Partial<Record<WebRequest.ResourceType | 'webtransport', NetworkRequest['type']>> = {
  main_frame: 'document',
  sub_frame: 'document',
  stylesheet: 'style-sheet',
  script: 'script',
  image: 'image',
  imageset: 'image',
  font: 'font',
  media: 'media',
  xmlhttprequest: 'fetch',
  websocket: 'web-socket',
  // Of Chrome, which the types do not know.
  webtransport: 'web-socket',
  ping: 'ping',
  beacon: 'ping',
  csp_report: 'ping',
  web_manifest: 'manifest',
  speculative: 'prefetch',
  // What `object` and `embed` show is most often a document.
  object: 'document',
};

/** The page itself, in both browsers. */
const mainFrameId = '0';

/** What Chrome adds to its events, and Firefox does not have. https://developer.chrome.com/docs/extensions/reference/api/extensionTypes#type-DocumentLifecycle */
interface DocumentDetails {
  documentId?: string;
  documentLifecycle?: 'prerender' | 'active' | 'cached' | 'pending_deletion';
}

/** Whether it is of a page that is loaded ahead and not shown. */
export function isPrerendered(details: object): boolean {
  return (details as DocumentDetails).documentLifecycle === 'prerender';
}

/** Scripts without a tab that one Visit keeps. */
const mostUnassigned = 100;

/** Translates the webRequest and webNavigation events of one tab. */
export class TabRecorder extends ActivityRecorder {
  /** Of the last navigation that failed. */
  #navigationError: string | null = null;
  /** Of scripts without a tab, by address: the origin that asked. */
  readonly #unassigned = new Map<string, string>();

  constructor() {
    super(mainFrameId, () => performance.now());
  }

  override isQuiet(): boolean {
    return super.isQuiet() && !this.#isReasonAwaited();
  }

  /** Addresses of scripts that an origin of the page asked for, and of which Chrome does not say by which page. */
  get unassignedUrls(): string[] {
    const own = new Set(this.requests.filter(({ type }) => type === 'document').map(({ url }) => new URL(url).origin));
    return [...this.#unassigned].filter(([, origin]) => own.has(origin)).map(([url]) => url);
  }

  /**
   * A script of any tab or of none. Chrome gives that of a worker which a worker started no tab, as it has no frame that asked for it
   * (https://source.chromium.org/chromium/chromium/src/+/main:content/browser/worker_host/worker_script_fetcher.cc). Service workers have none either: their own scripts name them.
   */
  noteScript(details: WebRequest.OnSendHeadersDetailsType): void {
    const { tabId, url, requestHeaders = [] } = details;
    const { initiator } = details as { initiator?: string };
    if (tabId >= 0 || initiator === undefined || this.#unassigned.size >= mostUnassigned) return;
    if (requestHeaders.some(({ name }) => name.toLowerCase() === 'service-worker')) return;
    this.#unassigned.set(url, initiator);
  }

  begin(details: WebRequest.OnBeforeRequestDetailsType): void {
    const { requestId: id, url, frameId } = details;
    if (!/^https?:/.test(url)) return;
    const before = this.find(id);
    const hop = (before?.hop ?? -1) + 1;
    // A service worker that leaves it to the network.
    if (before?.status === 0) delete before.isIncomplete;
    const isAhead = isPrerendered(details);
    const isMainDocument = details.type === 'main_frame' && !isAhead;
    if (isMainDocument && hop === 0) this.#navigationError = null;
    this.apply({
      kind: 'request-began',
      request: beginRequest({
        id,
        hop,
        url,
        type: requestTypeOf(details.type),
        isMainDocument,
        // Chrome reports the origin only.
        initiatorUrl: details.originUrl ?? null,
        startEpochMs: details.timeStamp,
      }),
      place: {
        frameId: frameId < 0 ? null : String(frameId),
        documentId: (details as DocumentDetails).documentId ?? null,
        documentUrl: details.documentUrl ?? null,
        isPrerendered: isAhead,
      },
    });
  }

  send(details: WebRequest.OnSendHeadersDetailsType): void {
    const { requestId: id, requestHeaders = [] } = details;
    // No time of sending: this is before the connection.
    const type = requestTypeOfHeaders(requestHeaders);
    // All that a page fetches while it is loaded ahead has the header of a prefetch.
    const isOfPage = type === 'prefetch' && isPrerendered(details);
    if (type !== null && !isOfPage) this.apply({ kind: 'request-explained', id, fields: { type } });
  }

  respond(details: WebRequest.OnResponseStartedDetailsType | WebRequest.OnBeforeRedirectDetailsType): void {
    const { requestId: id, timeStamp, statusCode, fromCache } = details;
    const responseEpochMs = this.find(id)?.responseEpochMs ?? timeStamp;
    this.apply({ kind: 'answer-came', id, fields: { responseEpochMs, status: statusCode, fromCache } });
  }

  /** What has no end, as a stream of events, or of a camera's pictures, is known by its type alone. */
  noteType({ requestId: id, responseHeaders = [] }: WebRequest.OnResponseStartedDetailsType): void {
    const mimeType = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
    this.apply({ kind: 'answer-came', id, fields: {}, mimeType });
  }

  /** Not of a redirect, which has an event of its own. */
  noteStatus(id: string, status: number): void {
    if (status >= 400 || (status >= 200 && status < 300)) this.apply({ kind: 'answer-came', id, fields: { status } });
  }

  /** This hop is over; the next one begins under the same id. */
  redirect(details: WebRequest.OnBeforeRedirectDetailsType): void {
    this.respond(details);
    // So Firefox reports what a service worker answered, and nothing after it: neither how it went nor when it ended.
    if (details.statusCode === 0) {
      const request = this.find(details.requestId);
      if (request && request.type !== 'document') request.isIncomplete = true;
      return this.#end(details.requestId, { atEpochMs: details.timeStamp, failure: null });
    }
    // No event follows of what is not fetched over the network.
    if (!/^https?:/.test(details.redirectUrl))
      return this.#end(details.requestId, {
        atEpochMs: details.timeStamp,
        failure: details.type === 'main_frame' ? ledOutside : 'net::ERR_UNKNOWN_URL_SCHEME',
      });
    const request = this.find(details.requestId);
    if (request) request.endEpochMs ??= details.timeStamp;
  }

  complete(details: WebRequest.OnCompletedDetailsType): void {
    // Firefox has the sizes of some answers only, as of those without a type, and Chrome of none: the page knows those of all.
    this.#end(details.requestId, { atEpochMs: details.timeStamp, failure: null });
  }

  fail(details: WebRequest.OnErrorOccurredDetailsType): void {
    // A page that stops itself while it comes has no end, in Chrome's own protocol too.
    if (details.error === 'net::ERR_FAILED' && details.type === 'main_frame' && this.#hasCome(details.requestId))
      return;
    if (isLookInCache(details)) this.apply({ kind: 'request-withdrawn', id: details.requestId });
    this.#end(details.requestId, { atEpochMs: details.timeStamp, failure: this.#explain(details) });
  }

  noteNavigation({ frameId, timeStamp }: WebNavigation.OnBeforeNavigateDetailsType): void {
    this.apply({
      kind: 'navigation-began',
      frameId: String(frameId),
      navigationId: null,
      atEpochMs: timeStamp,
    });
  }

  noteFrame(frameId: number, parentFrameId: number): void {
    if (parentFrameId >= 0)
      this.apply({ kind: 'frame-came', frameId: String(frameId), parentFrameId: String(parentFrameId) });
  }

  noteDocument(details: WebNavigation.OnCommittedDetailsType): void {
    const { frameId, url, timeStamp } = details;
    this.apply({
      kind: 'document-came',
      frameId: String(frameId),
      documentId: (details as DocumentDetails).documentId ?? null,
      url,
      atEpochMs: timeStamp,
      // Extensions have no load event of what is no page of the web.
      isRestored: !/^https?:/.test(url),
    });
  }

  /** Chrome reports here why a page did not come, before or after the end of its request: webRequest calls an endless redirect an abortion. */
  noteNavigationError(error: string): void {
    this.#navigationError = error;
    this.#explainFailure();
    this.noteActivity();
  }

  /** The answer leaves the tab as it was. A page that has come may be one of the cache, which 304 says is still right. */
  get hasNoPage(): boolean {
    const status = this.mainDocument?.status ?? null;
    return isWithoutPage(status) && !(status === 304 && this.documents.length > 0);
  }

  get awaitsImagesOnly(): boolean {
    return this.awaited.length > 0 && this.awaited.every(({ type }) => type === 'image' || type === 'other');
  }

  /** Of what is awaited, the browser fetches these for its own use. */
  noteIcons(urls: readonly string[]): void {
    for (const { id, url } of this.awaited)
      if (urls.includes(url)) this.apply({ kind: 'request-explained', id, fields: { type: 'icon' } });
  }

  /** The page was found to have loaded, which the browser left out. */
  noteFoundLoaded(): void {
    this.apply({ kind: 'loaded', isSure: true });
  }

  #end(id: string, end: { atEpochMs: number; failure: string | null }): void {
    const request = this.find(id);
    if (!request) return;
    this.apply({ kind: 'request-ended', id, end: { ...end, by: 'network' } });
    this.#explainFailure();
    // The page stays where it was, or shows what came of it: there is no load event to wait for.
    if (request.isMainDocument && (request.failure !== null || this.hasNoPage)) this.noteFoundLoaded();
  }

  #explainFailure(): void {
    const { mainDocument } = this;
    if (!mainDocument || this.#navigationError === null) return;
    // A status of 400 or more, and no byte: Chrome shows a page of its own, which has no load event for extensions.
    const isErrorPage = this.#navigationError === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE';
    if (!isErrorPage && !(isGivenUp(mainDocument) && /^net::ERR_(?!ABORTED)/.test(this.#navigationError))) return;
    mainDocument.failure = this.#navigationError;
    if (isErrorPage) this.noteFoundLoaded();
  }

  /** Chrome has the same words for what CORS refuses, which is between origins, and for an answer that the page cancels while it reads it. */
  #explain({ requestId, error, type, ...details }: WebRequest.OnErrorOccurredDetailsType): string {
    if (error !== 'net::ERR_FAILED' || type === 'main_frame' || type === 'sub_frame') return error;
    const { initiator } = details as { initiator?: string };
    const hops = this.requests.filter(({ id }) => id === requestId);
    if (hops.some(({ url }) => new URL(url).origin !== initiator)) return `${error} (cors)`;
    return hops.at(-1)?.status === 200 ? 'net::ERR_ABORTED' : error;
  }

  #hasCome(id: string): boolean {
    const request = this.find(id);
    return this.documents.length > 0 && request?.status === 200 && request.id === this.mainDocument?.id;
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
}

/** Chrome asks its cache alone for a font before it asks the network, and calls that a request that failed: nothing was sent. */
function isLookInCache({ error, type }: WebRequest.OnErrorOccurredDetailsType): boolean {
  return error === 'net::ERR_CACHE_MISS' && type !== 'main_frame' && type !== 'sub_frame';
}

function requestTypeOf(type: WebRequest.ResourceType): NetworkRequest['type'] {
  return types[type] ?? 'other';
}

/** The type that only the headers show, both in Chrome and in Firefox; null where they show none. */
function requestTypeOfHeaders(headers: readonly WebRequest.HttpHeadersItemType[]): NetworkRequest['type'] | null {
  const valueOf = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  // Firefox reports it as a request of the script; no script may set this header. https://fetch.spec.whatwg.org/#cors-preflight-fetch
  if (valueOf('access-control-request-method') !== '') return 'preflight';
  // https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
  if (valueOf('sec-purpose').startsWith('prefetch') || valueOf('x-moz') === 'prefetch') return 'prefetch';
  // https://html.spec.whatwg.org/#the-eventsource-interface
  return valueOf('accept') === 'text/event-stream' ? 'event-source' : null;
}
