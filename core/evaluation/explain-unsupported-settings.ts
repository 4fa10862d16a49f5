import type { ArtefactSettings } from './artefact-settings.ts';
import { protocolNames, type BrowserSettings } from './browser-settings.ts';
import type { Engine, UserAgent } from './user-agent.ts';

type BrowserSetting = keyof BrowserSettings;
type Setting = BrowserSetting | 'filmstrip';

/** Which engines obey which setting: the one place that says so. */
const enginesOf: Record<Setting, readonly Engine[]> = {
  proxy: ['chrome', 'firefox', 'http'],
  pac: ['chrome', 'firefox'],
  flags: ['chrome'],
  prefs: ['firefox'],
  protocols: ['chrome', 'firefox', 'http'],
  connectionsPerOrigin: ['firefox', 'http'],
  pipeliningDepth: ['http'],
  http2Streams: ['http'],
  userAgentString: ['chrome', 'firefox', 'http'],
  viewport: ['chrome', 'firefox', 'http'],
  deviceScaleRatio: ['chrome', 'firefox', 'http'],
  trustedKeys: ['chrome', 'firefox', 'http'],
  // The others can take pictures at best: they get no event when a frame is shown.
  filmstrip: ['chrome'],
};

/** The engines that obey a setting. */
export function enginesObeying(setting: Setting): readonly Engine[] {
  return enginesOf[setting];
}

/** Of one browser each: they are for the User Agents that have it, and the others do not miss them. */
const ownSettings: ReadonlySet<Setting> = new Set(['flags', 'prefs']);

type Protocol = (typeof protocolNames)[number];

/** The choices of HTTP versions that an engine can be held to; one that is not here can be held to any. */
const protocolChoices: Partial<Record<Engine, readonly (readonly Protocol[])[]>> = {
  // All browsers use HTTP/1.1 with a server that does not offer HTTP/2. No setting prevents that.
  chrome: [['http/1.1'], ['http/1.1', 'h2']],
  firefox: [['http/1.1'], ['http/1.1', 'h2']],
};

/** A setting of a Scenario that a User Agent cannot obey, and what to do. */
export interface UnsupportedSetting {
  setting: Setting;
  message: string;
}

/** What of the settings would silently not be as the Scenario says, for some User Agent of the Evaluation. */
export function explainUnsupportedSettings(
  settings: BrowserSettings,
  userAgents: readonly Pick<UserAgent, 'name' | 'engine'>[],
): UnsupportedSetting[] {
  const given = (Object.keys(settings) as BrowserSetting[]).filter((setting) => isGiven(settings[setting]));
  return given.flatMap((setting) => {
    const message =
      explainEngine(setting, userAgents) ??
      (setting === 'protocols' ? explainProtocols(settings.protocols!, userAgents) : null);
    return message === null ? [] : [{ setting, message }];
  });
}

/** Likewise, of what is to be kept of each Visit. */
export function explainUnsupportedArtefacts(
  { filmstrip }: ArtefactSettings,
  userAgents: readonly Pick<UserAgent, 'name' | 'engine'>[],
): UnsupportedSetting[] {
  const message = filmstrip ? explainEngine('filmstrip', userAgents) : null;
  return message === null ? [] : [{ setting: 'filmstrip', message }];
}

/** Lists and records that were left out are empty. */
function isGiven(value: BrowserSettings[BrowserSetting]): boolean {
  return value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);
}

function explainEngine(setting: Setting, userAgents: readonly Pick<UserAgent, 'name' | 'engine'>[]): string | null {
  const engines = enginesOf[setting];
  const isObeyed = ({ engine }: Pick<UserAgent, 'engine'>) => engines.includes(engine);
  if (ownSettings.has(setting)) {
    if (userAgents.some(isObeyed)) return null;
    return `is only for the engine ${list(engines)}, which no User Agent has: leave it out`;
  }
  const other = userAgents.find((userAgent) => !isObeyed(userAgent));
  if (!other) return null;
  return `is not supported by ${other.engine}, the engine of "${other.name}": leave it out, or choose an engine that supports it: ${list(engines)}`;
}

function explainProtocols(
  wanted: readonly Protocol[],
  userAgents: readonly Pick<UserAgent, 'name' | 'engine'>[],
): string | null {
  for (const { name, engine } of userAgents) {
    const choices = protocolChoices[engine];
    if (!choices || choices.some((choice) => isSameSet(choice, wanted))) continue;
    return `is not supported by ${engine}, the engine of "${name}": choose ${choices.map((choice) => JSON.stringify(choice)).join(' or ')}`;
  }
  return null;
}

function isSameSet(a: readonly Protocol[], b: readonly Protocol[]): boolean {
  return a.every((each) => b.includes(each)) && b.every((each) => a.includes(each));
}

function list(engines: readonly Engine[]): string {
  return engines.join(', ');
}
