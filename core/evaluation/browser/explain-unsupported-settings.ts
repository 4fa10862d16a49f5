import type { BrowserSettings, ProtocolName } from './browser-settings.ts';
import { enginesObeying, isObeyed, settingsToPermit, type EngineOnHost, type Setting } from './engine-settings.ts';
import type { Engine } from '../users/user-agent.ts';

/** Of one browser each: they are for the User Agents that have it, and the others do not miss them. */
const ownSettings: ReadonlySet<Setting> = new Set(['flags', 'prefs']);

/** A User Agent, with what its engine obeys on its host where that is known. */
type Obeyer = EngineOnHost & { name: string };

/** All browsers use HTTP/1.1 with a server that does not offer HTTP/2. No setting prevents that: such a Visit fails where HTTP/2 is the only choice. Likewise HTTP/3. */
const browserChoices: readonly (readonly ProtocolName[])[] = [
  ['http/1.1'],
  ['http/1.1', 'h2'],
  ['h2'],
  ['h3'],
  ['http/1.1', 'h2', 'h3'],
];

/** The choices of HTTP versions that an engine can be held to; one that is not here can be held to any but HTTP/3. */
const protocolChoices: Partial<Record<Engine, readonly (readonly ProtocolName[])[]>> = {
  chrome: browserChoices,
  firefox: browserChoices,
  extension: browserChoices,
};

/** Whether some choice of HTTP versions that an engine can be held to has this one. */
export function mayUseProtocol(engine: Engine, name: ProtocolName): boolean {
  return protocolChoices[engine]?.some((choice) => choice.includes(name)) ?? name !== 'h3';
}

/** What is wrong, as the rest of a sentence that begins with the setting; and what to do. */
interface Explanation {
  problem: string;
  fix: string;
}

/** A setting of a Scenario that a User Agent cannot obey. `message` is the problem and the fix as one text. */
export interface UnsupportedSetting extends Explanation {
  setting: Setting;
  message: string;
}

/** What of the settings would silently not be as the Scenario says, for some User Agent of the Evaluation. */
export function explainUnsupportedSettings(
  settings: BrowserSettings,
  userAgents: readonly Obeyer[],
): UnsupportedSetting[] {
  const given = (Object.keys(settings) as Setting[]).filter((setting) => isGiven(settings[setting]));
  return given.flatMap((setting) => {
    const explanation =
      explainEngine(setting, userAgents) ??
      (setting === 'protocols' ? explainProtocols(settings.protocols!, userAgents) : null);
    return reportIfAny(setting, explanation);
  });
}

function reportIfAny(setting: Setting, explanation: Explanation | null): UnsupportedSetting[] {
  if (explanation === null) return [];
  return [{ setting, ...explanation, message: `${explanation.problem}: ${explanation.fix}` }];
}

/** Lists and records that were left out are empty. */
function isGiven(value: BrowserSettings[Setting]): boolean {
  return value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);
}

function explainEngine(setting: Setting, userAgents: readonly Obeyer[]): Explanation | null {
  const engines = enginesObeying(setting);
  if (ownSettings.has(setting)) {
    if (userAgents.some((userAgent) => isObeyed(setting, userAgent))) return null;
    return { problem: `is only for the engines ${list(engines)}, and no User Agent obeys it`, fix: 'leave it out' };
  }
  const other = userAgents.find((userAgent) => !isObeyed(setting, userAgent));
  if (!other) return null;
  // There the engine is one that obeys, elsewhere.
  const others = engines.includes(other.engine)
    ? [...engines.filter((engine) => engine !== other.engine), ...explainOtherHosts(setting)].join(', ')
    : list(engines);
  return {
    problem: explainLack(other),
    fix: `leave it out, or choose an engine that supports it: ${others}`,
  };
}

function explainLack({ name, engine }: Obeyer): string {
  return `is not supported by ${engine}, the engine of "${name}"`;
}

/** Where the extension would obey. */
function explainOtherHosts(setting: Setting): string[] {
  const started = 'or an Agent that starts the browser with the extension';
  return settingsToPermit.has(setting)
    ? [started, 'or let the person at the browser permit it in the options of the extension']
    : [started];
}

function explainProtocols(wanted: readonly ProtocolName[], userAgents: readonly Obeyer[]): Explanation | null {
  for (const userAgent of userAgents) {
    const choices = protocolChoices[userAgent.engine];
    if (!choices && wanted.includes('h3'))
      return {
        problem: `with "h3" ${explainLack(userAgent)}`,
        fix: `leave "h3" out, or choose an engine that supports it: ${list(Object.keys(protocolChoices) as Engine[])}`,
      };
    if (!choices || choices.some((choice) => isSameSet(choice, wanted))) continue;
    return {
      problem: explainLack(userAgent),
      fix: `choose ${choices.map((choice) => JSON.stringify(choice)).join(' or ')}`,
    };
  }
  return null;
}

function isSameSet(a: readonly ProtocolName[], b: readonly ProtocolName[]): boolean {
  return a.every((each) => b.includes(each)) && b.every((each) => a.includes(each));
}

function list(engines: readonly Engine[]): string {
  return engines.join(', ');
}
