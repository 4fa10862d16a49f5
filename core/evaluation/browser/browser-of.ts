import type { BrowserSettings } from './browser-settings.ts';
import type { Setting } from './engine-settings.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** In the place of the key that HTTPEP gets in each Round: it shows that an engine must be able to trust one. */
const keyOfRound = `${'A'.repeat(43)}=`;

/** The settings that the browsers of a Scenario get: its own, the proxy that HTTPEP is, and the key of HTTPEP in a Round where it ends TLS. */
export function browserOf(
  { browser, httpep }: Pick<Scenario, 'browser' | 'httpep'>,
  httpepKey = keyOfRound,
): BrowserSettings {
  if (!httpep) return browser;
  const proxied = { ...browser, proxy: `http://${httpep.remote.address}` };
  return httpep.tls === 'terminate' ? { ...proxied, trustedKeys: [...browser.trustedKeys, httpepKey] } : proxied;
}

/** Where a Scenario has a setting of `browserOf`. */
export function placeOfSetting(
  { browser, httpep }: Pick<Scenario, 'browser' | 'httpep'>,
  setting: Setting,
): ['httpep', ...string[]] | ['browser', Setting] {
  if (httpep && setting === 'proxy') return ['httpep'];
  if (httpep?.tls === 'terminate' && setting === 'trustedKeys' && browser.trustedKeys.length === 0)
    return ['httpep', 'tls'];
  return ['browser', setting];
}
