import { ProtocolError, type CDPSession, type Protocol } from 'puppeteer-core';
import { acceptsDialog } from '../browser/dialog-rule.ts';
import { goneAway } from '#core/agent/page-activity/activity-event.ts';
import type { NetworkRecorder } from './chrome-recorder.ts';
import type { SharedWorker } from './watch-shared-workers.ts';

/** The isolated world that the probe lives in. */
export const probeWorld = 'http-ae';

export interface FrameWatchSettings {
  recorder: NetworkRecorder;
  probeSource: string;
  nowEpochMs: () => number;
  /** Says how the page's dialogs are answered, and which script its frames and workers run before theirs. */
  page: { readonly isJourney: boolean; readonly scriptAhead: string | null };
  /** Instead of the browser's own. */
  userAgentString: string | undefined;
}

/** A worklet too waits for its debugger, whether or not it is attached to: its page would wait with it. */
const childTargets: Protocol.Target.TargetFilter = [
  { type: 'iframe' },
  { type: 'worker' },
  { type: 'worklet' },
  { exclude: true },
];
const autoAttach: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
  filter: childTargets,
};

/** Records the network and installs the probe in a page, in its frames in processes of their own as they come, and in theirs. */
export class FrameWatch {
  readonly #settings: FrameWatchSettings;
  readonly #sessions = new Set<CDPSession>();
  /** Of the document of each frame, by its id. */
  readonly #urls = new Map<string, string>();
  readonly #frameIdOf = new Map<CDPSession, string>();
  /** Of each session, aborted while its process has crashed. */
  readonly #crashes = new Map<CDPSession, AbortController>();

  constructor(settings: FrameWatchSettings) {
    this.#settings = settings;
  }

  /** Of the page and of its frames in processes of their own. */
  get sessions(): ReadonlySet<CDPSession> {
    return this.#sessions;
  }

  /** The address of the outermost document of a session, also where that does not answer. */
  urlOf(session: CDPSession): string {
    return this.#urls.get(this.#frameIdOf.get(session) ?? '') ?? '';
  }

  /** Aborted once the process of a session has crashed: nothing there answers any more. */
  crashOf(session: CDPSession): AbortSignal {
    return this.#crashControllerOf(session).signal;
  }

  #crashControllerOf(session: CDPSession): AbortController {
    const crash = this.#crashes.get(session) ?? new AbortController();
    this.#crashes.set(session, crash);
    return crash;
  }

  async watch(session: CDPSession): Promise<void> {
    const { recorder, probeSource, userAgentString, page } = this.#settings;
    const { scriptAhead } = page;
    this.#sessions.add(session);
    recorder.observe(session);
    session.on(
      'Page.javascriptDialogOpening',
      ({ type }) =>
        void ignoreRefusal(session.send('Page.handleJavaScriptDialog', { accept: acceptsDialog(type, page) })),
    );
    this.#watchFrames(session);
    this.#watchTargets(session);
    // A frame whose process crashed stays, and nothing of it comes any more.
    session.on('Inspector.targetCrashed', () => {
      this.#endTarget(session.id());
      this.#crashControllerOf(session).abort();
    });
    session.on('Inspector.targetReloadedAfterCrash', () => this.#crashes.delete(session));
    // Sent at once: the browser keeps their order, and a new frame waits until the last of them.
    await Promise.all([
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Network.enable', {}),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: probeSource, worldName: probeWorld }),
      ...(scriptAhead === null ? [] : [session.send('Page.addScriptToEvaluateOnNewDocument', { source: scriptAhead })]),
      // The command line says so already: this takes the client hints away, which would still be those of Chrome.
      ...(userAgentString === undefined
        ? []
        : [session.send('Emulation.setUserAgentOverride', { userAgent: userAgentString })]),
      session.send('Target.setAutoAttach', autoAttach),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  /** Records the network of a worker or worklet, and of the workers that it starts, and lets it run. */
  async watchWorker(session: CDPSession, scriptAhead = this.#settings.page.scriptAhead): Promise<void> {
    this.#settings.recorder.observe(session);
    this.#watchTargets(session);
    await Promise.all([
      session.send('Network.enable', {}),
      session.send('Target.setAutoAttach', autoAttach),
      ...(scriptAhead === null ? [] : runAheadInWorker(session, scriptAhead)),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  /**
   * The same for a shared worker. Chrome reports the end of its script only if the script ends after the worker has begun to report. An earlier end
   * is noticed here when the worker runs the script, which is at most some milliseconds later.
   */
  async watchSharedWorker({ session, url, gone }: SharedWorker): Promise<void> {
    const { recorder, nowEpochMs } = this.#settings;
    const endScript = (end: { by: 'probe' | 'target-gone'; failure: string | null }) => {
      for (const id of recorder.findUnended(url))
        recorder.apply({ kind: 'request-ended', id, end: { ...end, atEpochMs: nowEpochMs() } });
    };
    gone.addEventListener('abort', () => {
      endScript({ by: 'target-gone', failure: goneAway });
      recorder.apply({ kind: 'target-gone', targetId: session.id(), atEpochMs: nowEpochMs() });
    });
    await this.watchWorker(session);
    // What the worker reported as it began has come by the time of this answer.
    await session.send('Network.enable', {});
    if (recorder.findUnended(url).length === 0) return;
    const noteScript = () => {
      endScript({ by: 'probe', failure: null });
      void ignoreRefusal(Promise.all([session.send('Debugger.disable'), session.send('Runtime.disable')]));
    };
    session.once('Debugger.scriptParsed', noteScript);
    // A script with a mistake in its syntax is only known by its exception, which Chrome keeps.
    session.once('Runtime.exceptionThrown', noteScript);
    await Promise.all([session.send('Debugger.enable', {}), session.send('Runtime.enable')]);
  }

  /** Which document each frame of a session has, and which frames there are. */
  #watchFrames(session: CDPSession): void {
    const { recorder, nowEpochMs } = this.#settings;
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) =>
      recorder.apply({ kind: 'frame-came', frameId, parentFrameId }),
    );
    session.on('Page.frameNavigated', ({ frame, type }) => {
      const url = frame.unreachableUrl ?? frame.url;
      this.#urls.set(frame.id, url);
      recorder.apply({
        kind: 'document-came',
        frameId: frame.id,
        documentId: frame.loaderId || null,
        url,
        atEpochMs: nowEpochMs(),
        isRestored: type === 'BackForwardCacheRestore',
      });
    });
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      // The frame continues in a process of its own.
      if (reason !== 'swap') recorder.apply({ kind: 'frame-gone', frameId, atEpochMs: nowEpochMs() });
    });
  }

  #watchTargets(session: CDPSession): void {
    session.on('Target.attachedToTarget', (event) => this.#attach(event, session));
    session.on('Target.detachedFromTarget', ({ sessionId }) => this.#detach(sessionId));
  }

  #attach({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent, parent: CDPSession): void {
    const child = parent.connection()?.session(sessionId);
    if (!child) return; // gone again
    this.#settings.recorder.apply({ kind: 'target-came', targetId: sessionId, parentTargetId: parent.id() });
    // The target of a frame has the frame's id.
    this.#frameIdOf.set(child, targetInfo.targetId);
    const { type } = targetInfo;
    const scriptAhead = type === 'worker' ? this.#settings.page.scriptAhead : null;
    void ignoreRefusal(type === 'iframe' ? this.watch(child) : this.watchWorker(child, scriptAhead));
  }

  #detach(sessionId: string): void {
    const gone = [...this.#sessions].find((session) => session.id() === sessionId);
    if (gone) this.#sessions.delete(gone);
    this.#endTarget(sessionId);
  }

  #endTarget(targetId: string): void {
    const { recorder, nowEpochMs } = this.#settings;
    recorder.apply({ kind: 'target-gone', targetId, atEpochMs: nowEpochMs() });
  }
}

/**
 * Has a worker that waits for its debugger run a script before its own. Chrome has no world to run it in until the worker's script is about to begin: it pauses there, and continues after it.
 */
function runAheadInWorker(session: CDPSession, script: string): Promise<unknown>[] {
  session.once('Debugger.paused', () => {
    void ignoreRefusal(
      Promise.all([session.send('Runtime.evaluate', { expression: script }), session.send('Debugger.disable')]),
    );
  });
  return [
    session.send('Debugger.enable', {}),
    session.send('Debugger.setInstrumentationBreakpoint', { instrumentation: 'beforeScriptExecution' }),
  ];
}

/** For commands whose receiver may go away before it answers: dialogs, popups, frames that are replaced. */
export async function ignoreRefusal(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}
