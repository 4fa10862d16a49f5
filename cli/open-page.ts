import { findLocalController, readLocalAccess } from './controller/controller-access.ts';
import { ControllerClient } from './controller/controller-client.ts';
import type { ControllerOptions } from './commands/controller-options.ts';
import { watchInterrupts } from './watch-interrupts.ts';
import { findHome } from './installation.ts';
import { spawn } from 'node:child_process';

/** An opener that has found a browser may stay as long as that one does; one that has not ends at once. */
const longestWaitMs = 3000;

export interface OpenOptions extends ControllerOptions {
  print?: true;
  verbose?: true;
}

/** Prints the link of the web UI, or of the Comparison of a Run, and opens it where there is a desktop. It has no secret in it: other users see command lines. Throws `not-found`. */
export async function openPage(run: string | undefined, { print, controller, token }: OpenOptions): Promise<void> {
  const homeFolder = findHome(process.env);
  const base = controller ?? (await findLocalController(homeFolder)).publicUrl;
  if (run !== undefined) await needRun(run, { controller, token, homeFolder });
  const url = run === undefined ? `${base}/` : `${base}/runs/${run}/comparison`;
  process.stdout.write(`${url}\n`);
  if (print) return;
  const problem = await startBrowser(url, process.env);
  if (problem !== null) process.stderr.write(`No browser was opened (${problem}): open the link yourself\n`);
}

/** Where no token for the Controller is known, its page says whether the Run is there. */
async function needRun(
  run: string,
  { controller, token, homeFolder }: { controller: string | undefined; token: string | undefined; homeFolder: string },
): Promise<void> {
  const local = await readLocalAccess(homeFolder);
  const url = controller ?? local?.url;
  const known = token ?? (local?.url === url ? local?.token : undefined);
  if (url === undefined || known === undefined) return;
  using interrupts = watchInterrupts();
  await new ControllerClient({ url, token: known }, interrupts.signal).readRun(run);
}

/** Opens a page in the browser that the desktop of this person names. Returns why not; null where it was opened. */
async function startBrowser(url: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  if (!hasDesktop(environment)) return 'this terminal has no desktop';
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true, env: environment });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  child.once('error', ({ message }) => resolve(`${opener} does not start: ${message}`));
  child.once('exit', (code) => resolve(code === 0 ? null : `${opener} failed`));
  const timer = setTimeout(() => resolve(null), longestWaitMs);
  const problem = await promise;
  clearTimeout(timer);
  child.unref();
  return problem;
}

function hasDesktop(environment: NodeJS.ProcessEnv): boolean {
  return process.platform === 'darwin'
    ? !environment.SSH_CONNECTION
    : Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}
