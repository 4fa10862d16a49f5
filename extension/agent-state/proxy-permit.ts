import browser from 'webextension-polyfill';

const right = { permissions: ['proxy' as const] };
const key = 'mayUseProxies';

/** Whether the person lets Scenarios set a proxy. */
export async function mayUseProxies(): Promise<boolean> {
  if (isAskedByBrowser()) return browser.permissions.contains(right);
  return (await browser.storage.local.get(key))[key] === true;
}

/** Asks the person; only in answer to a click. */
export async function permitProxies(): Promise<void> {
  if (isAskedByBrowser()) await browser.permissions.request(right);
  else await browser.storage.local.set({ [key]: true });
}

export async function forbidProxies(): Promise<void> {
  if (isAskedByBrowser()) await browser.permissions.remove(right);
  else await browser.storage.local.remove(key);
}

export function watchProxyPermit(onChange: () => void): void {
  const heed = ({ permissions = [] }: { permissions?: string[] }) => permissions.includes('proxy') && onChange();
  browser.permissions.onAdded.addListener(heed);
  browser.permissions.onRemoved.addListener(heed);
  browser.storage.onChanged.addListener((changes, area) => {
    if (area === 'local' && key in changes) onChange();
  });
}

/** Chrome has this right from the installation or never: there the click in the options alone is the answer. */
function isAskedByBrowser(): boolean {
  return browser.runtime.getManifest().optional_permissions?.includes('proxy') ?? false;
}
