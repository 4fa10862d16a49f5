import browser from 'webextension-polyfill';
import { hasContainers } from '../../agent-state/page-access.ts';
import { forgetContainer, readContainers, readWindows } from './leftovers.ts';
import { closeWindow, removeContainer } from './isolation.ts';

/** Closes what a background that died left open. */
export async function closeLeftovers(): Promise<void> {
  for (const windowId of await readWindows()) await closeWindow(windowId);
  const containers = await readContainers();
  if (containers.length === 0 || !hasContainers()) return;
  const known = new Set((await browser.contextualIdentities.query({})).map(({ cookieStoreId }) => cookieStoreId));
  for (const container of containers)
    await (known.has(container) ? removeContainer(container) : forgetContainer(container));
}
