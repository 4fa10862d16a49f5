import { listSettingsInBrowserOfPerson } from '#core/evaluation/browser/engine-settings.ts';
import { explainUnsupportedSettings } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { mayAccessPages } from '../../agent-state/page-access.ts';
import { mayUseProxies } from '../../agent-state/proxy-permit.ts';

/** Why this extension cannot make such a Pass, and what to do; null when it can. */
export async function explainRefusal({
  engine,
  userAgent,
  browser,
  osUser,
  sourceAddress,
  interface: networkInterface,
  visits,
}: PassOrder): Promise<string | null> {
  if (engine !== 'extension')
    return `this Agent is a browser extension: give the User Agent "engine: extension", not "${engine}"`;
  if (osUser !== undefined || sourceAddress !== undefined || networkInterface !== undefined) {
    return 'a browser extension runs as the user of its browser: remove "osUser", "sourceAddress" and "interface", or use an Agent that starts the browser';
  }
  if (visits.some(({ leg }) => leg !== undefined))
    return 'a browser extension makes no journeys: choose chrome or firefox';
  if (!(await mayAccessPages()))
    return 'the extension has no access to web pages yet: press "Allow access to web pages" in its options';
  const settings = listSettingsInBrowserOfPerson({ mayUseProxies: await mayUseProxies() });
  const [unsupported] = explainUnsupportedSettings(
    // Meant for the User Agents that have them: the others do not miss them.
    { ...browser, flags: [], prefs: {} },
    [{ name: userAgent, engine, settings }],
  );
  return unsupported ? `${unsupported.setting} ${unsupported.message}` : null;
}
