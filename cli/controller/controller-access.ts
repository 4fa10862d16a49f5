import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { isHeld } from '../home/token-ledger.ts';

/** Where a Controller is, and an api token for it. */
export const ControllerAccessSchema = z.object({ url: z.url(), token: z.string() });
export type ControllerAccess = z.infer<typeof ControllerAccessSchema>;

/** The same of a Controller that this user runs on this machine. */
const LocalAccessSchema = ControllerAccessSchema.extend({
  /** Where others reach it. */
  publicUrl: z.url(),
  /** By which the commands of its OS user may do everything. */
  ownerToken: z.string(),
  /** The process that made it. */
  holder: z.string(),
});
export type LocalAccess = z.infer<typeof LocalAccessSchema>;

/** The file by which a Controller lets the commands of the same user on the same machine in. */
export function localAccessFile(homeFolder: string): string {
  return path.join(homeFolder, 'local-token.json');
}

/** What the options say, else the Controller that runs on this machine. Throws `invalid-input` when there is neither. */
export async function findController(options: ControllerOptions, homeFolder: string): Promise<ControllerAccess> {
  const { controller, token } = options;
  const local = await readLocalAccess(homeFolder);
  const url = controller ?? local?.url;
  if (url === undefined) {
    throw new AppError(
      'invalid-input',
      'No Controller runs on this machine: start one with "./http-ae up", or name one with --controller and --token',
    );
  }
  if (token !== undefined) return { url, token };
  if (local?.url === url) return { url, token: local.token };
  throw new AppError(
    'invalid-input',
    `${url} needs a token: create an api token in its web UI, and pass it by --token or HTTP_AE_TOKEN`,
  );
}

/** The Controller of this user on this machine, with what only its OS user may do. Throws `invalid-input` when there is none. */
export async function findLocalController(homeFolder: string): Promise<LocalAccess> {
  const local = await readLocalAccess(homeFolder);
  if (local !== null) return local;
  throw new AppError(
    'invalid-input',
    'You run no Controller on this machine: start one with "./http-ae up", or run this command on the Controller’s machine as its OS user',
  );
}

/** Null where there is none, or where its process was killed. */
export async function readLocalAccess(homeFolder: string): Promise<LocalAccess | null> {
  const file = localAccessFile(homeFolder);
  try {
    const local = LocalAccessSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    // An earlier version wrote less, and has stopped by now.
    return local.success && isHeld(homeFolder, local.data.holder) ? local.data : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new AppError('invalid-input', `${file} cannot be read: remove it, and start "./http-ae up" again`, {
      cause: error,
    });
  }
}
