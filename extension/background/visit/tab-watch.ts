import browser, { type Downloads, type Tabs, type WebNavigation, type WebRequest } from 'webextension-polyfill';
import { gaveFile } from '#core/agent/page-activity/activity-event.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { isXmlType } from '#core/page-objects/choose-encoding.ts';
import { describeExcess, explainUnshownContent } from '#core/metrics/page-failure.ts';
import { installProbe, silenceDialogs } from './ask-frames.ts';
import { isPrerendered, TabRecorder } from './tab-recorder.ts';
import { hasContainers } from '../../agent-state/page-access.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';

/** Listeners that go together. */
class ListenerSet {
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

/**
 * Watches the one tab that is measured, from before its first navigation until disposed of: its requests, its frames, and what a page may do that
 * nobody is there to answer. It listens to requests of this tab only, and to scripts without a tab in Chrome. It ignores events of other tabs.
 */
export class TabWatch implements Disposable {
  readonly recorder = new TabRecorder();
  readonly #tabId: number;
  readonly #listeners = new ListenerSet();
  readonly #lost = new AbortController();
  /** Frames whose last answer is XML, which XSLT may transform. */
  readonly #xmlFrames = new Set<number>();

  constructor(tabId: number) {
    this.#tabId = tabId;
    this.#watchRequests();
    this.#listeners.add(browser.webNavigation.onBeforeNavigate, this.#onBeforeNavigate);
    this.#listeners.add(browser.webNavigation.onCommitted, this.#onCommitted);
    this.#listeners.add(browser.webNavigation.onCompleted, this.#onCompleted);
    this.#listeners.add(browser.webNavigation.onErrorOccurred, this.#onNavigationError);
    this.#listeners.add(browser.webNavigation.onCreatedNavigationTarget, this.#onPopup);
    this.#listeners.add(browser.downloads.onCreated, this.#onDownload);
    this.#listeners.add(browser.tabs.onRemoved, this.#onRemoved);
    this.#listeners.add(browser.tabs.onCreated, this.#onTabCreated);
  }

  /** Aborted with a VisitFailure when the tab is gone, or what it loads is no page. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  [Symbol.dispose](): void {
    this.#listeners.removeAll();
  }

  #watchRequests(): void {
    const { webRequest } = browser;
    const filter = { urls: ['<all_urls>'], tabId: this.#tabId };
    this.#listeners.add(webRequest.onBeforeRequest, (details) => this.recorder.begin(details), filter);
    this.#listeners.add(webRequest.onSendHeaders, (details) => this.recorder.send(details), filter, ['requestHeaders']);
    if (!hasContainers())
      this.#listeners.add(
        webRequest.onSendHeaders,
        (details) => this.recorder.noteScript(details),
        { urls: ['<all_urls>'], types: ['script'] },
        ['requestHeaders'],
      );
    // Of an answer that the browser keeps from the page, this alone says that it came.
    this.#listeners.add(
      webRequest.onHeadersReceived,
      ({ requestId, statusCode }) => this.recorder.noteStatus(requestId, statusCode),
      filter,
    );
    this.#listeners.add(webRequest.onBeforeRedirect, (details) => this.recorder.redirect(details), filter);
    this.#listeners.add(webRequest.onResponseStarted, (details) => this.recorder.respond(details), filter);
    // Of documents, images and scripts' requests alone, as the headers of every answer would cost more.
    const documentTypes: WebRequest.ResourceType[] = ['main_frame', 'sub_frame', 'object'];
    this.#listeners.add(webRequest.onResponseStarted, this.#onDocumentStarted, { ...filter, types: documentTypes }, [
      'responseHeaders',
    ]);
    const mayBeStreams: WebRequest.ResourceType[] = hasContainers()
      ? ['xmlhttprequest', 'image', 'imageset']
      : ['xmlhttprequest', 'image'];
    const onMayBeStream = (details: WebRequest.OnResponseStartedDetailsType) => this.recorder.noteType(details);
    this.#listeners.add(webRequest.onResponseStarted, onMayBeStream, { ...filter, types: mayBeStreams }, [
      'responseHeaders',
    ]);
    this.#listeners.add(webRequest.onCompleted, (details) => this.recorder.complete(details), filter);
    this.#listeners.add(webRequest.onErrorOccurred, (details) => this.recorder.fail(details), filter);
    // Nobody is there to enter a password: the answer that says so is the page.
    this.#listeners.add(webRequest.onAuthRequired, this.#refusePassword, filter, ['asyncBlocking']);
  }

  /** Chrome and Firefox both wait for the callback, which the types do not know. Firefox does not report this answer otherwise. */
  readonly #refusePassword = (
    details: WebRequest.OnAuthRequiredDetailsType,
    answer?: (response: WebRequest.BlockingResponse) => void,
  ): void => {
    this.recorder.noteStatus(details.requestId, details.statusCode);
    answer?.({ cancel: true });
  };

  readonly #onDocumentStarted = (details: WebRequest.OnResponseStartedDetailsType): void => {
    const { type, frameId, responseHeaders = [] } = details;
    const valueOf = (wanted: string) => responseHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value;
    const contentType = valueOf('content-type') ?? '';
    if (isXmlType(contentType) && !/xhtml/i.test(contentType)) this.#xmlFrames.add(frameId);
    else this.#xmlFrames.delete(frameId);
    if (type !== 'main_frame') return;
    const excess = describeExcess(Number(valueOf('content-length'))) ?? explainUnshownContent(contentType);
    if (excess) this.#lost.abort(new VisitFailure(excess.code, excess.detail));
  };

  readonly #onBeforeNavigate = (details: WebNavigation.OnBeforeNavigateDetailsType): void => {
    if (details.tabId !== this.#tabId || isPrerendered(details)) return;
    this.recorder.noteFrame(details.frameId, details.parentFrameId);
    this.recorder.noteNavigation(details);
  };

  readonly #onCommitted = (details: WebNavigation.OnCommittedDetailsType): void => {
    const { tabId, frameId, url } = details;
    if (tabId !== this.#tabId || isPrerendered(details)) return;
    this.recorder.noteDocument(details);
    if (frameId === 0 && !/^https?:/.test(url)) return;
    // A frame may be gone again, or be an error page, where no extension is let in.
    // Firefox never fires the load event of what XSLT transforms if a script was injected before.
    const isAtOnce = !hasContainers() || !this.#xmlFrames.has(frameId);
    silenceDialogs({ tabId, frameId }, isAtOnce).catch((error: unknown) =>
      console.debug(`Dialogs of frame ${frameId}`, error),
    );
    installProbe({ tabId, frameId }, isAtOnce).catch((error: unknown) =>
      console.debug(`No probe in frame ${frameId}`, error),
    );
  };

  readonly #onCompleted = (details: WebNavigation.OnCompletedDetailsType): void => {
    const { tabId, frameId, url } = details;
    if (tabId === this.#tabId && frameId === 0 && /^https?:/.test(url) && !isPrerendered(details))
      this.recorder.noteLoaded();
  };

  readonly #onNavigationError = (details: WebNavigation.OnErrorOccurredDetailsType): void => {
    // Chrome only; Firefox has its words in webRequest, and none here.
    const { error } = details as { error?: string };
    if (details.tabId === this.#tabId && details.frameId === 0 && error !== undefined)
      this.recorder.noteNavigationError(error);
  };

  readonly #onPopup = ({ sourceTabId, tabId }: WebNavigation.OnCreatedNavigationTargetDetailsType): void => {
    if (sourceTabId === this.#tabId) this.#closePopup(tabId);
  };

  /** Only this event reports an empty window. */
  readonly #onTabCreated = ({ id, openerTabId }: Tabs.Tab): void => {
    if (openerTabId === this.#tabId && id !== undefined) this.#closePopup(id);
  };

  #closePopup(tabId: number): void {
    browser.tabs
      .remove(tabId)
      .catch((error: unknown) => console.debug('The window that the page opened is already closed', error));
  }

  /** Downloads do not name their tab, but one of ours is a navigation of ours. */
  readonly #onDownload = ({ id, url }: Downloads.DownloadItem): void => {
    if (!this.recorder.requests.some((request) => request.isMainDocument && request.url === url)) return;
    this.recorder.apply({ kind: 'file-given', url, atEpochMs: epochClock() });
    // A page that has come may hand out files: they are refused, and it stays.
    if (this.recorder.documents.length === 0) this.#lost.abort(new VisitFailure('unsupported-content', gaveFile));
    discardDownload(id).catch((error: unknown) => console.debug('The download ended', error));
  };

  readonly #onRemoved = (tabId: number): void => {
    if (tabId === this.#tabId)
      this.#lost.abort(new VisitFailure('aborted', 'The tab was closed while the page was measured'));
  };
}

async function discardDownload(id: number): Promise<void> {
  await browser.downloads.cancel(id);
  await browser.downloads.erase({ id });
}

/** As `Events.Event` of the polyfill, and its kin that take filters. */
interface ListenerTarget<Listener, Options extends readonly unknown[]> {
  addListener(listener: Listener, ...options: Options): void;
  removeListener(listener: Listener): void;
}
