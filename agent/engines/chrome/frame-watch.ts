import type { CDPSession, Protocol } from 'puppeteer-core';
import { ignoreRefusal } from './ignore-refusal.ts';
import type { NetworkRecorder } from './network-recorder.ts';

/** The isolated world that the probe lives in. */
export const probeWorld = 'http-ae';

export interface FrameWatchSettings {
  recorder: NetworkRecorder;
  probeSource: string;
  nowEpochMs: () => number;
  /** Instead of the browser's own. */
  userAgentString: string | undefined;
}

const childTargets: Protocol.Target.TargetFilter = [{ type: 'iframe' }, { type: 'worker' }, { exclude: true }];

/** Records the network and installs the probe in a page, in its frames in processes of their own as they come, and in theirs. */
export class FrameWatch {
  readonly #settings: FrameWatchSettings;
  readonly #sessions = new Set<CDPSession>();

  constructor(settings: FrameWatchSettings) {
    this.#settings = settings;
  }

  /** Of the page and of its frames in processes of their own. */
  get sessions(): ReadonlySet<CDPSession> {
    return this.#sessions;
  }

  async watch(session: CDPSession): Promise<void> {
    const { recorder, probeSource, userAgentString } = this.#settings;
    this.#sessions.add(session);
    recorder.observe(session);
    session.on('Page.javascriptDialogOpening', () => void ignoreRefusal(session.send('Page.handleJavaScriptDialog', { accept: false })));
    session.on('Target.attachedToTarget', (event) => this.#attach(event, session));
    session.on('Target.detachedFromTarget', ({ sessionId }) => this.#detach(sessionId));
    // Sent at once: the browser keeps their order, and a new frame waits until the last of them.
    await Promise.all([
      session.send('Page.enable'),
      session.send('Network.enable', {}),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: probeSource, worldName: probeWorld }),
      // The command line says so already: this takes the client hints away, which would still be those of Chrome.
      ...(userAgentString === undefined ? [] : [session.send('Emulation.setUserAgentOverride', { userAgent: userAgentString })]),
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: childTargets }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  /** Records the network of a worker, and lets it run. */
  async watchWorker(session: CDPSession): Promise<void> {
    this.#settings.recorder.observe(session);
    await Promise.all([session.send('Network.enable', {}), session.send('Runtime.runIfWaitingForDebugger')]);
  }

  #attach({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent, parent: CDPSession): void {
    const child = parent.connection()?.session(sessionId);
    if (!child) return; // gone again
    void ignoreRefusal(targetInfo.type === 'iframe' ? this.watch(child) : this.watchWorker(child));
  }

  #detach(sessionId: string): void {
    const gone = [...this.#sessions].find((session) => session.id() === sessionId);
    if (gone) this.#sessions.delete(gone);
    this.#settings.recorder.abandon(sessionId, this.#settings.nowEpochMs());
  }
}
