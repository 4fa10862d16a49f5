import { findLocalController } from '../controller/controller-access.ts';
import { findHome } from '../installation.ts';
import { spawn } from 'node:child_process';

/** An opener that has found a browser may stay as long as that one does; one that has not ends at once. */
const longestWaitMs = 3000;

export interface OpenOptions {
  print?: true;
  controller?: string;
  verbose?: true;
}

/** Prints the link of the web UI, or of the Comparison of a Run, and opens it where there is a desktop. It has no secret in it: other users see command lines. */
export async function openPage(run: string | undefined, { print, controller }: OpenOptions): Promise<void> {
  const base = controller ?? (await findLocalController(findHome(process.env))).publicUrl;
  const url = run === undefined ? `${base}/` : `${base}/runs/${run}/comparison`;
  process.stdout.write(`${url}\n`);
  if (print) return;
  const problem = await startBrowser(url, process.env);
  if (problem !== null) process.stderr.write(`No browser was opened (${problem}): open the link yourself\n`);
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
