import { browserWords, type BrowserSettings } from './browser-settings.ts';
import type { Engine } from '../users/user-agent.ts';

/** Of a Scenario's browser. */
export type Setting = keyof BrowserSettings;

/** The engines that obey a setting. */
export function enginesObeying(setting: Setting): readonly Engine[] {
  return browserWords[setting].engines;
}

/** An engine as it is on one host. `settings`: those that it obeys there, as its Agent reports; left out where the host is not known. */
export interface EngineOnHost {
  engine: Engine;
  settings?: readonly string[] | undefined;
}

/** Hosts differ in what their extension obeys, and in nothing else. */
export function isObeyed(setting: Setting, { engine, settings }: EngineOnHost): boolean {
  return enginesObeying(setting).includes(engine) && (settings === undefined || settings.includes(setting));
}

/** What the extension itself obeys: what reaches only the window of a Visit. */
const ownSettings: readonly Setting[] = ['blockedRequests', 'userAgentString', 'cache', 'viewport'];

/** What a person has to permit, in the options of the extension. */
export const settingsToPermit: ReadonlySet<Setting> = new Set(['proxy']);

/** What the extension obeys in the browser of a person: what it can undo. */
export function listSettingsInBrowserOfPerson({ mayUseProxies }: { mayUseProxies: boolean }): Setting[] {
  return mayUseProxies ? [...ownSettings, 'proxy'] : [...ownSettings];
}

/** What the extension obeys in a browser that an Agent starts for each Pass: what the engine of that browser obeys by the way it is started, and what the extension does itself. */
export function listSettingsOfStartedExtension(browser: 'chrome' | 'firefox'): Setting[] {
  return (Object.keys(browserWords) as Setting[]).filter(
    (setting) =>
      enginesObeying(setting).includes('extension') &&
      (enginesObeying(setting).includes(browser) || ownSettings.includes(setting)),
  );
}
