import type { Engine as EngineName } from '#core/evaluation/user-agent.ts';
import { openChromeEngine } from './chrome/chrome-engine.ts';
import type { Engine, EngineLog } from './engine.ts';
import { openFirefoxEngine } from './firefox/firefox-engine.ts';
import { openHttpEngine } from './http/http-engine.ts';

/** The browsers of this machine that an Agent runs; null or left out for none. */
export interface BrowserPaths {
  chromePath: string | null;
  firefoxPath?: string | null | undefined;
}

/** Starts each engine for a try; the http engine needs no browser and is always there. Throws an AppError when one that was asked for does not start. */
export async function openEngines({ chromePath, firefoxPath = null }: BrowserPaths, log: EngineLog): Promise<ReadonlyMap<EngineName, Engine>> {
  const engines = [
    openHttpEngine(),
    ...(chromePath === null ? [] : [await openChromeEngine({ executablePath: chromePath, log })]),
    ...(firefoxPath === null ? [] : [await openFirefoxEngine({ executablePath: firefoxPath, log })]),
  ];
  return new Map(engines.map((engine) => [engine.name, engine]));
}
