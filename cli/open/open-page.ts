import { findLocalController } from '../controller/controller-access.ts';
import { findHome } from '../find-home.ts';
import { startBrowser } from './start-browser.ts';

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
