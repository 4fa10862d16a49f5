import type { Engine as EngineName } from '#core/evaluation/user-agent.ts';
import { openChromeEngine } from './chrome/chrome-engine.ts';
import type { Engine, EngineLog } from './engine.ts';

/** The browsers of this machine that an Agent runs; null or left out for none. */
export interface BrowserPaths {
  chromePath: string | null;
}

/** Starts each engine for a try. Throws an AppError when one that was asked for does not start. */
export async function openEngines({ chromePath }: BrowserPaths, log: EngineLog): Promise<ReadonlyMap<EngineName, Engine>> {
  const engines = [...(chromePath === null ? [] : [await openChromeEngine({ executablePath: chromePath, log })])];
  return new Map(engines.map((engine) => [engine.name, engine]));
}
