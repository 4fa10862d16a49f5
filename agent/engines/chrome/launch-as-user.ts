import { defaultArgs, launch, type Browser, type LaunchOptions } from 'puppeteer-core';
import type { OsUser } from '../../users/find-os-user.ts';

type Launch = LaunchOptions & { executablePath: string; ignoreDefaultArgs: string[] };

/** Launches a browser as another user, by `setpriv`: it takes on the user and then becomes the browser, with its process id and its pipes. */
export async function launchAsUser(options: Launch, { uid, gid }: OsUser): Promise<Browser> {
  const browserArgs = (await defaultArgs(options)).filter((arg) => !options.ignoreDefaultArgs.includes(arg));
  return launch({
    ...options,
    executablePath: '/usr/bin/env',
    ignoreDefaultArgs: true,
    args: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--',
      options.executablePath,
      ...browserArgs,
    ],
  });
}
