import type { CDPSession, Protocol } from 'puppeteer-core';
import { ignoreRefusal } from './ignore-refusal.ts';

/** Closes every window that a page opens, until disposed of. */
export function closePopups(browser: CDPSession, page: { targetId: string; contextId: string }): Disposable {
  const close = ({ targetInfo }: Protocol.Target.TargetCreatedEvent) => {
    if (targetInfo.browserContextId !== page.contextId || targetInfo.targetId === page.targetId) return;
    void ignoreRefusal(browser.send('Target.closeTarget', { targetId: targetInfo.targetId }));
  };
  browser.on('Target.targetCreated', close);
  return { [Symbol.dispose]: () => browser.off('Target.targetCreated', close) };
}
