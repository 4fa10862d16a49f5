import type { CDPSession, Protocol } from 'puppeteer-core';

/**
 * Hands over every shared worker that a context starts, until disposed of. They belong to no page, and only the browser tells of them; each
 * waits to be let run.
 */
export function watchSharedWorkers(browser: CDPSession, { contextId, watch }: { contextId: string; watch: (worker: CDPSession) => void }): Disposable {
  const attach = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent) => {
    if (targetInfo.type !== 'shared_worker' || targetInfo.browserContextId !== contextId) return;
    const worker = browser.connection()?.session(sessionId);
    if (worker) watch(worker);
  };
  browser.on('Target.attachedToTarget', attach);
  return { [Symbol.dispose]: () => browser.off('Target.attachedToTarget', attach) };
}
