import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { OsUser } from '#agent/users/find-os-user.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';
import { takeSnapshot } from './support/visit-for-snapshot.ts';

const pageLoad = { restMs: 0, quietMs: 200 };
const alice: OsUser = { uid: 21_001, gid: 21_001 };
const bob: OsUser = { uid: 21_002, gid: 21_002 };

/** Says in its title what it finds, and leaves the name of its visitor everywhere. */
const page = `<!doctype html>${noIcon}<p>A page<script>
  const who = new URLSearchParams(location.search).get('who');
  document.title = JSON.stringify([document.cookie, localStorage.who ?? null]);
  document.cookie = 'who=' + who + '; max-age=3600';
  localStorage.who = who;
</script><img src="/image">`;

const asUser = ({ uid, gid }: OsUser, ...command: string[]) =>
  spawnSync('setpriv', [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--', ...command], { encoding: 'utf8' });

const ownerOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.uid;
const listOwn = (folder: string, { uid }: OsUser) =>
  readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((file) => ownerOf(file) === uid);

/** The ports on which processes of this user listen. https://docs.kernel.org/networking/proc_net_tcp.html */
function listPorts({ uid }: OsUser): number[] {
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1));
  return lines.flatMap((line) => {
    const [, local, , state, , , , owner] = line.trim().split(/\s+/);
    return state === '0A' && Number(owner) === uid ? [Number.parseInt(local!.split(':').at(-1)!, 16)] : [];
  });
}

/** What one who connects to the port hears when it asks to drive the browser; null where the connection is refused. */
async function askForSession(port: number, origin?: string): Promise<unknown> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/session`, { ...(origin !== undefined && { origin }) });
  try {
    await once(socket, 'open');
  } catch {
    return null;
  }
  socket.send(JSON.stringify({ id: 1, method: 'session.new', params: { capabilities: {} } }));
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  return JSON.parse(answer.toString());
}

describe.skipIf(process.getuid?.() !== 0).each([
  ['chrome', openSession],
  ['firefox', openFirefoxSession],
] as const)('two browsers of %s as two OS users', (engine, open) => {
  test.skipIf(engine === 'firefox' && isFirefoxLeftOut)('see nothing of each other', async () => {
    let imageRequests = 0;
    await using server = await servePages({
      '/': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      '/image': (response) => {
        imageRequests++;
        response
          .writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=3600' })
          .end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
      },
    });
    await using ofAlice = await open({ pageLoad, osUser: alice });
    await using ofBob = await open({ pageLoad, osUser: bob });
    const titleOf = async (session: typeof ofAlice, who: string) =>
      (await takeSnapshot(session, `${server.url}?who=${who}`)).frames[0]!.title;
    expect(await titleOf(ofAlice, 'alice')).toBe('["",null]');
    expect(await titleOf(ofBob, 'bob')).toBe('["",null]');
    expect(imageRequests).toBe(2);

    const folders = listOwn(tmpdir(), alice);
    expect(folders.length).toBeGreaterThan(0);
    for (const folder of folders) {
      const listed = asUser(bob, 'ls', folder);
      expect([folder, listed.status === 0, listed.stdout]).toEqual([folder, false, '']);
    }
    const processes = listOwn('/proc', alice);
    expect(processes.length).toBeGreaterThan(0);
    for (const file of processes.map((folder) => path.join(folder, 'environ')))
      expect([file, asUser(bob, 'cat', file).stdout]).toEqual([file, '']);

    // Chrome is driven by a pipe. Firefox listens on this machine: to one who drives it, and to no page.
    const ports = listPorts(alice);
    expect(ports.length > 0).toBe(engine === 'firefox');
    for (const port of ports) {
      expect(await askForSession(port)).toMatchObject({ type: 'error', error: 'session not created' });
      expect(await askForSession(port, server.url)).toBeNull();
    }
  });
});
