import type { Browser } from 'puppeteer-core';

/** Ends the extension's service worker as the browser itself does, at once. Throws when none runs. */
export async function killServiceWorker(browser: Browser): Promise<void> {
  const session = await browser.target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'service_worker' }] });
  if (targetInfos.length === 0) throw new Error('The extension has no service worker that runs');
  for (const { targetId } of targetInfos) await session.send('Target.closeTarget', { targetId });
  await session.detach();
}
