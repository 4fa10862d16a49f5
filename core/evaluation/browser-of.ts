import type { BrowserSettings } from './browser-settings.ts';
import type { Scenario } from './scenario.ts';

/** The settings that the browsers of a Scenario get: its own, and the proxy that HTTPEP is. */
export function browserOf({ browser, httpep }: Pick<Scenario, 'browser' | 'httpep'>): BrowserSettings {
  return httpep ? { ...browser, proxy: `http://${httpep.remote.address}` } : browser;
}
