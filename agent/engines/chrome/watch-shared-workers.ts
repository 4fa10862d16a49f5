import type { CDPSession, Protocol } from 'puppeteer-core';

export interface SharedWorker {
  session: CDPSession;
  /** Of its script. */
  url: string;
  /** Aborted when it has ended. */
  gone: AbortSignal;
}

/**
 * Hands over every shared worker that a context starts, until disposed of. They belong to no page, and only the browser reports them; each
 * waits to be let run.
 */
export function watchSharedWorkers(
  browser: CDPSession,
  { contextId, watch }: { contextId: string; watch: (worker: SharedWorker) => void },
): Disposable {
  const ends = new Map<string, AbortController>();
  const attach = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent) => {
    if (targetInfo.type !== 'shared_worker' || targetInfo.browserContextId !== contextId) return;
    const session = browser.connection()?.session(sessionId);
    if (!session) return;
    const end = new AbortController();
    ends.set(sessionId, end);
    watch({ session, url: targetInfo.url, gone: end.signal });
  };
  const detach = ({ sessionId }: Protocol.Target.DetachedFromTargetEvent) => {
    ends.get(sessionId)?.abort();
    ends.delete(sessionId);
  };
  browser.on('Target.attachedToTarget', attach);
  browser.on('Target.detachedFromTarget', detach);
  return {
    [Symbol.dispose]: () => {
      browser.off('Target.attachedToTarget', attach);
      browser.off('Target.detachedFromTarget', detach);
    },
  };
}
