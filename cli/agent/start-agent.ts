import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import type { sshLifetimes } from '#core/protocol/host-facts.ts';
import { HostOriginSchema } from '#core/protocol/host-origin.ts';
import { runAgent } from '#agent/run-agent.ts';
import { createLog } from '../create-log.ts';
import { findBrowser, findPresentBrowser, watchForBrowser, type BrowserSearch } from '../find-browser.ts';
import { readVersion, findHome, launcher } from '../installation.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { watchParent } from './watch-parent.ts';
import type { EngineLog, LookForEngine } from '#agent/engines/engine.ts';
import { openFirefoxEngine, type FoundFirefox } from '#agent/engines/open-engines.ts';
import { firefoxKind } from '../browser-kinds.ts';

const defaultSilenceLimitMs = 60_000;

export interface AgentCommandOptions {
  /** At least one. */
  controller: string[];
  token?: string;
  /** Has the token instead. */
  tokenFile?: string;
  bySsh?: (typeof sshLifetimes)[number];
  name: string;
  allowScripts?: true;
  allowAnyPreference?: true;
  chrome?: string;
  /** A path, or true to bring one; false with `--no-firefox`. */
  firefox?: string | boolean;
  extension?: ExtensionTarget;
  /** False with `--no-browser`. */
  browser: boolean;
  verbose?: true;
}

/** Runs an Agent until Ctrl-C, or until the process or the ssh that started it (if it keeps a channel to it) is gone. */
export async function startAgent(options: AgentCommandOptions & { token: string }): Promise<void> {
  using interrupts = watchInterrupts();
  using parent = watchParent();
  using input = options.bySsh === 'channel' ? watchInput() : null;
  const signal = AbortSignal.any([interrupts.signal, parent.signal, ...(input ? [input.signal] : [])]);
  const log = createLog(options.verbose ? 'debug' : 'info');
  const { env, platform } = process;
  const [controllerUrl, ...otherControllerUrls] = options.controller as [string, ...string[]];
  const homeFolder = findHome(env);
  const say = (line: string) => log.info(line);
  const environment = options.chrome === undefined ? env : { ...env, HTTP_AE_CHROME: options.chrome };
  const search = { environment, platform, homeFolder, say, signal };
  try {
    const chromePath = options.browser ? await findBrowser(search) : null;
    const firefox = options.browser ? await chooseFirefox(options.firefox ?? needsFirefox(options), search) : null;
    await runAgent({
      controllerUrl,
      otherControllerUrls,
      token: options.token,
      bySsh: options.bySsh,
      name: options.name,
      allowScripts: options.allowScripts === true,
      allowAnyPreference: options.allowAnyPreference === true,
      chromePath,
      firefox,
      lookForEngine:
        options.browser && firefox === null && options.firefox !== false ? lookForFirefox(search, log) : undefined,
      extension: options.extension,
      homeFolder,
      origin: env.HTTP_AE_ORIGIN === undefined ? null : HostOriginSchema.parse(JSON.parse(env.HTTP_AE_ORIGIN)),
      agentVersion: readVersion(),
      launcher,
      log,
      signal,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** True brings one where there is none. */
function needsFirefox({ extension }: AgentCommandOptions): true | undefined {
  return extension === 'firefox' ? true : undefined;
}

/** The Firefox that an Agent is to run, by its option: a path, true to bring one where there is none, false for none; else one that is there. */
export async function chooseFirefox(
  option: string | boolean | undefined,
  search: BrowserSearch,
): Promise<FoundFirefox | null> {
  const environment =
    typeof option === 'string' ? { ...search.environment, HTTP_AE_FIREFOX: option } : search.environment;
  if (option === false) return null;
  if (option !== undefined || environment.HTTP_AE_FIREFOX)
    return { path: await findBrowser({ ...search, environment }, firefoxKind), isRequired: true };
  const path = await findPresentBrowser(search, firefoxKind);
  return path === null ? null : { path, isRequired: false };
}

/** Opens the Firefox that is installed after this start. */
function lookForFirefox(search: BrowserSearch, log: EngineLog): LookForEngine {
  const look = watchForBrowser(search, firefoxKind);
  return async () => {
    const executablePath = await look();
    return executablePath === null ? null : openFirefoxEngine({ executablePath, log });
  };
}

/** Aborts when standard input ends, or is silent for long: who holds its other end sends an empty line every 15 seconds. A machine that lost its power ends no connection. */
function watchInput(silenceLimitMs = defaultSilenceLimitMs): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error('The channel of ssh has ended'));
  const silence = setTimeout(abort, silenceLimitMs);
  const hear = () => void silence.refresh();
  process.stdin.on('data', hear).once('end', abort).once('close', abort).once('error', abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(silence);
      process.stdin.off('data', hear).off('end', abort).off('close', abort).off('error', abort);
      process.stdin.pause();
    },
  };
}
