import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import type { OsUser } from '../../users/find-os-user.ts';
import { describeAgentEnvironment, describeUserEnvironment } from '../../program-environment.ts';

/** What Chrome adds to its folder for temporary files. */
const socket = '/org.chromium.Chromium.XXXXXX/SingletonSocket';
/** Of the path of a socket on Linux, in bytes: `sun_path` of unix(7), without the byte that ends it. */
const longestSocketPath = 107;

/** The environment of a Chrome with its files in this folder. Throws an AppError where the folder's path is so long that Chrome would end without a word. */
export function describeChromeEnvironment(folder: string, osUser?: OsUser): NodeJS.ProcessEnv {
  const excess = Buffer.byteLength(folder) + socket.length - longestSocketPath;
  if (process.platform === 'linux' && excess > 0) {
    throw new AppError(
      'browser-failed',
      `The path of the folder for temporary files, ${path.dirname(folder)}, is ${excess} bytes too long for Chrome's socket. Set TMPDIR to a shorter one, such as /tmp`,
    );
  }
  return osUser ? describeUserEnvironment(folder) : describeAgentEnvironment(folder);
}
