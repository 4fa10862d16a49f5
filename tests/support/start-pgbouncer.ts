import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './find-free-port.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export interface Pooler extends AsyncDisposable {
  databaseUrl: string;
}

/** Whether Debian's pgbouncer is here. `./http-ae test db` installs it as root. */
export function hasPgbouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // that is the answer
  }
}

/** PgBouncer in transaction mode before a database: two statements of a client mostly run in different sessions. */
export async function startPgbouncer(databaseUrl: string): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = await makeTemporaryFolder();
  const own = await findFreePort();
  const place = `host=${hostname} port=${port} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  const settings = [
    `[databases]\n* = ${place}`,
    `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
    'auth_type = any\npool_mode = transaction\ndefault_pool_size = 5\nserver_round_robin = 1',
  ];
  const file = path.join(folder.path, 'pgbouncer.ini');
  await writeFile(file, settings.join('\n'));
  // It does not run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await Promise.all([chmod(folder.path, 0o755), chmod(file, 0o644)]);
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'exit');
  while (!(await isOpen(own))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${log}`);
    await sleep(20);
  }
  return {
    databaseUrl: `postgres://any@127.0.0.1:${own}${pathname}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // not yet
  } finally {
    socket.destroy();
  }
}
