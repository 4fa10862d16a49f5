import { AppError } from '#core/app-error.ts';
import type { Engine as EngineName } from '#core/evaluation/users/user-agent.ts';
import { openChromeEngine } from './chrome/chrome-engine.ts';
import type { Engine, EngineLog } from './engine.ts';
import { openExtensionEngine } from './extension/extension-engine.ts';
import type { ExtensionTarget } from './extension/pack-extension.ts';
import { openFirefoxEngine } from './firefox/firefox-engine.ts';
import { openHttpEngine } from './http/http-engine.ts';

/** The browsers of this machine that an Agent runs; null or left out for none. */
export interface BrowserPaths {
  chromePath: string | null;
  firefox?: FoundFirefox | null | undefined;
  /** Which of the two is also run with the extension in it. */
  extension?: ExtensionTarget | null | undefined;
}

export interface FoundFirefox {
  path: string;
  /** False for one that nobody asked for: when it does not start, the Agent does without it. */
  isRequired: boolean;
}

/** Starts each engine for a try; the http engine needs no browser and is always there. Throws an AppError when one that was asked for does not start. */
export async function openEngines(
  { chromePath, firefox = null, extension = null }: BrowserPaths,
  log: EngineLog,
): Promise<ReadonlyMap<EngineName, Engine>> {
  const engines = [
    openHttpEngine(),
    ...(chromePath === null ? [] : [await openChromeEngine({ executablePath: chromePath, log })]),
    ...(firefox === null ? [] : await openFirefox(firefox, log)),
    ...(extension === null ? [] : await openExtension(extension, { chromePath, firefox, log })),
  ];
  return new Map(engines.map((engine) => [engine.name, engine]));
}

/** An Agent without browsers has no extension either. */
async function openExtension(
  target: ExtensionTarget,
  { chromePath, firefox = null, log }: BrowserPaths & { log: EngineLog },
): Promise<Engine[]> {
  const executablePath = target === 'chrome' ? chromePath : (firefox?.path ?? null);
  return executablePath === null ? [] : [await openExtensionEngine({ target, executablePath, log })];
}

async function openFirefox({ path, isRequired }: FoundFirefox, log: EngineLog): Promise<Engine[]> {
  try {
    return [await openFirefoxEngine({ executablePath: path, log })];
  } catch (error) {
    if (isRequired || !(error instanceof AppError)) throw error;
    log.warn(`There is no engine firefox here: ${error.message}`);
    return [];
  }
}
