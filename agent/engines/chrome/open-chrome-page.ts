import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { unlessAborted } from '#core/waiting.ts';
import type { MainThreadRecording, ViewportFilm } from '../browser/browser-page.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { FrameChoice } from '../browser/frame-choice.ts';
import type { TakenFilmstrip } from '../engine.ts';
import { FrameWatch, ignoreRefusal } from './frame-watch.ts';
import { recordMainThread } from './record-main-thread.ts';
import type { BrowserProcess } from './launch-browser.ts';
import { NetworkRecorder } from './chrome-recorder.ts';
import { watchSharedWorkers } from './watch-shared-workers.ts';

/** One tab in a context, watched from before its first navigation. */
export interface ChromePage extends AsyncDisposable {
  readonly main: CDPSession;
  readonly recorder: NetworkRecorder;
  viewport: PageLoad['viewport'];
  isJourney: boolean;
  runAhead(script: string): Promise<void>;
  /** Sessions of the page and of its frames in processes of their own. */
  readonly frameSessions: ReadonlySet<CDPSession>;
  /** Aborted once the process of one of them has crashed. */
  crashOf(session: CDPSession): AbortSignal;
  /** The address of the outermost document of one of them. */
  urlOfSession(session: CDPSession): string;
  /** Null where none is made. */
  readonly film: ViewportFilm | null;
  readonly mainThread: MainThreadRecording | null;
  /** Aborted with a VisitFailure when page or browser is gone. */
  readonly lost: AbortSignal;
}

export interface PageSettings {
  contextId: string;
  /** Whether the context outlives the page. */
  isContextKept: boolean;
  /** Connections of the context that have brought an answer. */
  usedConnections: Set<string>;
  pageLoad: Pick<PageLoad, 'viewport'>;
  browser: Pick<BrowserSettings, 'viewport' | 'userAgentString'>;
  probeSource: string;
  nowEpochMs: () => number;
  recordsHeaders?: boolean;
  filmsViewport?: boolean;
  recordsMainThread?: boolean;
}

export async function openPage(browser: BrowserProcess, settings: PageSettings): Promise<ChromePage> {
  const { contextId, probeSource, nowEpochMs } = settings;
  const { viewport = settings.pageLoad.viewport, userAgentString } = settings.browser;
  const lost = new AbortController();
  const lose = (detail: string) => lost.abort(new VisitFailure('browser-crashed', detail));
  const onBrowserGone = () => lose('The browser ended during the Visit');
  browser.gone.addEventListener('abort', onBrowserGone);

  await browser.session.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId });
  const { targetId } = await browser.session.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId: contextId,
  });
  const popups = closePopups(browser.session, { targetId, contextId });
  const main = await attach(browser.session, targetId);
  const recorder = new NetworkRecorder(targetId, settings);
  const page = { viewport, isJourney: false, scriptAhead: null as string | null };
  const frames = new FrameWatch({ recorder, probeSource, nowEpochMs, page, userAgentString });
  const sharedWorkers = watchSharedWorkers(browser.session, {
    contextId,
    watch: (worker) => void ignoreRefusal(frames.watchSharedWorker(worker)),
  });

  main.on('Inspector.targetCrashed', () => lose('The renderer of the page crashed'));
  main.on('Page.loadEventFired', () => recorder.noteLoaded());
  await Promise.all([frames.watch(main), setViewport(main, viewport)]);
  // Begun before the rest, so that the first frame, of the empty tab, takes nothing from the Visit.
  const film = settings.filmsViewport ? await filmViewport(main, lost.signal) : null;

  const mainThread = settings.recordsMainThread
    ? await recordMainThread(browser.session, { mainFrameId: targetId, recorder, lost: lost.signal })
    : null;

  return Object.assign(page, {
    main,
    runAhead: async (script: string) => {
      page.scriptAhead = script;
      await main.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
    },
    film,
    mainThread,
    recorder,
    frameSessions: frames.sessions,
    crashOf: (session: CDPSession) => frames.crashOf(session),
    urlOfSession: (session: CDPSession) => frames.urlOf(session),
    lost: lost.signal,
    [Symbol.asyncDispose]: async () => {
      browser.gone.removeEventListener('abort', onBrowserGone);
      popups[Symbol.dispose]();
      sharedWorkers[Symbol.dispose]();
      await mainThread?.[Symbol.asyncDispose]();
      // A context goes with its browser, if that is gone already.
      await ignoreRefusal(
        settings.isContextKept
          ? browser.session.send('Target.closeTarget', { targetId })
          : browser.session.send('Target.disposeBrowserContext', { browserContextId: contextId }),
      );
    },
  });
}

export async function setViewport(session: CDPSession, { widthPx, heightPx }: PageLoad['viewport']): Promise<void> {
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: widthPx,
    height: heightPx,
    // That of the command line: one that is given here does not reach frames in processes of their own.
    deviceScaleFactor: 0,
    mobile: false,
  });
}

async function attach(parent: CDPSession, targetId: string): Promise<CDPSession> {
  const { sessionId } = await parent.send('Target.attachToTarget', { targetId, flatten: true });
  const session = parent.connection()?.session(sessionId);
  if (!session) throw new Error('The browser closed the page at once');
  return session;
}

/** Closes every window that a page opens, until disposed of. */
function closePopups(browser: CDPSession, page: { targetId: string; contextId: string }): Disposable {
  const close = ({ targetInfo: { targetId, browserContextId } }: Protocol.Target.TargetCreatedEvent) => {
    if (browserContextId === page.contextId && targetId !== page.targetId)
      void ignoreRefusal(closePopup(browser, targetId));
  };
  browser.on('Target.targetCreated', close);
  return { [Symbol.dispose]: () => browser.off('Target.targetCreated', close) };
}

/**
 * A window that a script opens waits for its debugger, as shared workers do (`launch-browser.ts`). The page that opened it shares its thread, and waits with it. So it is let run before it is closed.
 */
async function closePopup(browser: CDPSession, targetId: string): Promise<void> {
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const popup = browser.connection()?.session(sessionId);
  await Promise.all([
    popup && ignoreRefusal(popup.send('Runtime.runIfWaitingForDebugger')),
    browser.send('Target.closeTarget', { targetId }),
  ]);
}

const answerWithinMs = 5_000;
/** Some 40 ms on a machine that does nothing else. */
const firstFrameWithinMs = 1_000;
/** In CSS pixels, and so many of the picture: enough to see what came when. */
const longestSidePx = 400;
const settings: Protocol.Page.StartScreencastRequest = {
  format: 'jpeg',
  quality: 50,
  maxWidth: longestSidePx,
  maxHeight: longestSidePx,
};

/**
 * Films a tab from now on, until it is ended or `lost`. The time of a frame is that of the compositor, for which Chrome writes the time of the vertical blank that it is meant for, on the
 * clock of `performance.timeOrigin`: up to one refresh later than the change, and sometimes later than it arrives.
 */
async function filmViewport(session: CDPSession, lost: AbortSignal): Promise<ViewportFilm> {
  const choice = new FrameChoice();
  let arrived = Promise.withResolvers<void>();
  const onFrame = ({ data, metadata: { timestamp }, sessionId }: Protocol.Page.ScreencastFrameEvent) => {
    // First of all: after three unacknowledged frames, Chrome drops the next, which may be the last of a look.
    void ignoreRefusal(session.send('Page.screencastFrameAck', { sessionId }));
    if (timestamp === undefined) return;
    choice.add({ shownEpochMs: timestamp * 1000, base64: data });
    arrived.resolve();
  };
  session.on('Page.screencastFrame', onFrame);
  await session.send('Page.startScreencast', settings);
  // A Visit that begins without it may be over before the first frame.
  await Promise.race([arrived.promise, sleep(firstFrameWithinMs, undefined, { ref: false })]);

  const end = async (): Promise<TakenFilmstrip> => {
    let lastInTime: string | undefined;
    const signal = AbortSignal.any([lost, AbortSignal.timeout(answerWithinMs)]);
    try {
      // A new screencast begins with what is there: the last look, should Chrome have thrown it away on a busy host.
      await unlessAborted(session.send('Page.stopScreencast'), signal);
      lastInTime = choice.frames.at(-1)?.base64;
      arrived = Promise.withResolvers();
      await unlessAborted(session.send('Page.startScreencast', settings), signal);
      await unlessAborted(arrived.promise, signal);
      await unlessAborted(session.send('Page.stopScreencast'), signal);
    } catch (error) {
      return { kind: 'absent', reason: `It could not be ended: ${(error as Error).message.slice(0, 4000)}` };
    } finally {
      session.off('Page.screencastFrame', onFrame);
    }
    const frames = choice.frames.map(({ shownEpochMs, base64 }) => ({
      shownEpochMs,
      jpeg: Buffer.from(base64, 'base64'),
    }));
    return { kind: 'taken', frames, leftOut: choice.leftOut, isLastLate: choice.frames.at(-1)?.base64 !== lastInTime };
  };
  return { begin: () => choice.begin(), end };
}
