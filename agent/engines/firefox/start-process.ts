import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { killGroup } from '../browser/browser-process.ts';
import type { OsUser } from '../../users/find-os-user.ts';
import { describeAgentEnvironment, describeUserEnvironment } from '../../program-environment.ts';

export interface ProcessOptions {
  executablePath: string;
  args: readonly string[];
  /** The text of the profile's `user.js`. */
  userPrefs: string;
  /** Where its profile and its temporary files are. */
  folder: string;
  osUser?: OsUser | undefined;
  signal?: AbortSignal | undefined;
}

export interface FirefoxProcess {
  readonly processId: number;
  /** Where it listens for WebDriver BiDi. */
  readonly bidiUrl: string;
  /** Resolves when the main process is gone. */
  readonly exited: Promise<void>;
  /** Ends all its processes; resolves when the main one is gone. */
  end(): Promise<void>;
}

const startWithinMs = 60_000;

/**
 * Firefox does not end when the one who drives it is gone: a shell that reads a pipe to this process does that for it, in its
 * process group. The process itself becomes Firefox.
 */
const guard = '(read -r _ <&3; kill -KILL 0) 2>/dev/null & exec "$@" 3<&-';

/** Without the second, a released Firefox asks its maker's server for settings, against its preferences. https://firefox-source-docs.mozilla.org/services/settings/ */
const ownEnvironment = { MOZ_CRASHREPORTER_DISABLE: '1', MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' };

/** Starts Firefox with the profile of the folder, a fresh one if it has none, and waits until it can be spoken to. Throws when it does not start; then nothing of it is left. */
export async function startProcess(options: ProcessOptions): Promise<FirefoxProcess> {
  const { executablePath, args, folder, osUser, signal } = options;
  const profile = await makeProfile(options);
  const setUser = osUser ? ['setpriv', `--reuid=${osUser.uid}`, `--regid=${osUser.gid}`, '--clear-groups', '--'] : [];
  const command = [
    ...setUser,
    'sh',
    '-c',
    guard,
    'firefox',
    executablePath,
    '--headless',
    '--no-remote',
    '--profile',
    profile,
    '--remote-debugging-port=0',
    ...args,
  ];
  const child = spawn('/usr/bin/env', command, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // Nothing is written in the home of the Agent's user.
    env: {
      ...(osUser ? describeUserEnvironment(folder) : describeAgentEnvironment(folder)),
      HOME: folder,
      ...ownEnvironment,
    },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async () => {
    if (child.pid === undefined) return;
    killGroup(child.pid);
    await exited;
  };
  try {
    const bidiUrl = await readBidiUrl(child, signal);
    return { processId: child.pid!, bidiUrl, exited, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function makeProfile({ folder, userPrefs, osUser }: ProcessOptions): Promise<string> {
  const profile = path.join(folder, 'profile');
  const file = path.join(profile, 'user.js');
  await mkdir(profile, { recursive: true });
  await writeFile(file, userPrefs);
  if (osUser) await Promise.all([profile, file].map((each) => chown(each, osUser.uid, osUser.gid)));
  return profile;
}

/** Throws when it ends, or says nothing, before it listens. */
async function readBidiUrl(child: ChildProcess, signal?: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(startWithinMs);
  const waiting = AbortSignal.any([limit, ...(signal ? [signal] : [])]);
  const found = Promise.withResolvers<string>();
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
    const url = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
    if (url !== undefined) found.resolve(url);
  });
  // Not `close`: the guard outlives a program that ends at once, and keeps its pipe.
  void Promise.all([once(child, 'exit'), once(child.stderr!, 'end')]).then(([[status]]) => {
    found.reject(new Error(`it ended with status ${String(status)}: ${said.trim().slice(-500)}`));
  }, found.reject);
  const onAbort = () =>
    found.reject(
      limit.aborted
        ? new Error(`it did not listen within ${startWithinMs / 1000} s: ${said.trim().slice(-500)}`)
        : signal?.reason,
    );
  waiting.addEventListener('abort', onAbort, { once: true });
  if (waiting.aborted) onAbort();
  try {
    return await found.promise;
  } finally {
    waiting.removeEventListener('abort', onAbort);
  }
}
