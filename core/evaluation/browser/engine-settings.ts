import type { BrowserSettings } from './browser-settings.ts';
import type { Engine } from '../users/user-agent.ts';

/** Of a Scenario's browser; and the filmstrip of an Evaluation, which not every engine has. */
export type Setting = keyof BrowserSettings | 'filmstrip';

/** Which engines obey which setting: the one place that says so. The extension: in the browser of a person or of an Agent, at least one of them. */
const enginesOf: Record<Setting, readonly Engine[]> = {
  proxy: ['chrome', 'firefox', 'http', 'extension'],
  pac: ['chrome', 'firefox', 'extension'],
  flags: ['chrome', 'extension'],
  prefs: ['firefox', 'extension'],
  protocols: ['chrome', 'firefox', 'http', 'extension'],
  connectionsPerOrigin: ['firefox', 'http', 'extension'],
  pipeliningDepth: ['http'],
  http2Streams: ['http'],
  blockedRequests: ['extension'],
  userAgentString: ['chrome', 'firefox', 'http', 'extension'],
  cache: ['chrome', 'firefox', 'http', 'extension'],
  viewport: ['chrome', 'firefox', 'http', 'extension'],
  deviceScaleRatio: ['chrome', 'firefox', 'http', 'extension'],
  trustedKeys: ['chrome', 'firefox', 'http', 'extension'],
  // The others can take pictures at best: they get no event when a frame is shown.
  filmstrip: ['chrome'],
};

/** The engines that obey a setting. */
export function enginesObeying(setting: Setting): readonly Engine[] {
  return enginesOf[setting];
}

/** An engine as it is on one host. `settings`: those that it obeys there, as its Agent reports; left out where the host is not known. */
export interface EngineOnHost {
  engine: Engine;
  settings?: readonly string[] | undefined;
}

/** Hosts differ in what their extension obeys, and in nothing else. */
export function isObeyed(setting: Setting, { engine, settings }: EngineOnHost): boolean {
  return enginesOf[setting].includes(engine) && (settings === undefined || settings.includes(setting));
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
  return (Object.keys(enginesOf) as Setting[]).filter(
    (setting) =>
      enginesOf[setting].includes('extension') &&
      (enginesOf[setting].includes(browser) || ownSettings.includes(setting)),
  );
}
