import browser from 'webextension-polyfill';

const origins = ['<all_urls>'];

/** Whether the person lets the extension work with web pages. */
export function mayAccessPages(): Promise<boolean> {
  return browser.permissions.contains({ origins });
}

/** Asks the person; only in answer to a click. */
export function requestPageAccess(): Promise<boolean> {
  return browser.permissions.request({ origins });
}

/** Whether cold Visits get a profile of their own: an incognito window in Chrome and Edge, a container in Firefox. */
export async function mayIsolate(): Promise<boolean> {
  return hasContainers() || (await browser.extension.isAllowedIncognitoAccess());
}

export function hasContainers(): boolean {
  // Chrome has no such namespace, although the types have it.
  return 'contextualIdentities' in browser && (browser.contextualIdentities as unknown) !== undefined;
}
