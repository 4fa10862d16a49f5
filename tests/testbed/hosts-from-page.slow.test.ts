import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalAccess } from '#cli/controller/controller-access.ts';
import { joinFromPage } from '#cli/hosts/join-from-page.ts';
import { HostJoinSchema, HostJoinsSchema, type HostJoin } from '#core/protocol/api/host-join.ts';
import { postJson, startTestController, type Send, type TestController } from '#tests/support/controller.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { installDependencies, startSshd, type Sshd } from './support/start-sshd.ts';

// The API against a real sshd on the loopback interface, by the ssh of this machine.

const password = 'Korrekt-Pferd-%s"\\ 7';
const passphrase = 'Batterie Heftklammer $HOME';
const resources = new AsyncDisposableStack();
let it: TestController;
let admin: Send;
let sshd: Sshd;
let port: number;
let homeFolder: string;
let temporaryFolder: string;
let lockedKey: string;
const logged: string[] = [];
afterAll(() => resources.disposeAsync());

beforeAll(async () => {
  const folder = resources.use(await makeTemporaryFolder()).path;
  homeFolder = path.join(folder, 'home');
  temporaryFolder = path.join(folder, 'temporary');
  for (const each of [homeFolder, temporaryFolder]) await mkdir(each);
  process.env.TMPDIR = temporaryFolder;
  port = await findFreePort();
  sshd = resources.use(
    await startSshd({ enter: [], address: '127.0.0.1', port, folder: path.join(folder, 'sshd'), password }),
  );
  installDependencies(sshd, 'lab-1');
  lockedKey = path.join(folder, 'locked-key');
  cpSync(sshd.key, lockedKey);
  spawnSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', passphrase, '-f', lockedKey]);

  const ownerToken = 'hae_owner_of-this-test';
  const access = Promise.withResolvers<LocalAccess>();
  const log = pino(
    { level: 'trace' },
    new PassThrough().on('data', (text) => logged.push(String(text))),
  );
  const hostJoining = joinFromPage({ homeFolder, access: access.promise });
  it = resources.use(await startTestController({ hostJoining, ownerToken, log }));
  const { localUrl: url } = it.controller;
  access.resolve({ url, publicUrl: url, token: '', ownerToken, holder: '' });
  admin = (await it.signIn()).browser;
});

const withPassword = { kind: 'password', password };
const readKey = (file: string) => readFileSync(file, 'utf8');

const request = () => ({ name: 'lab-1', address: '127.0.0.1', port, user: 'root', login: withPassword });

async function begin(change: object): Promise<HostJoin> {
  const answer = await admin('/api/host-joins', postJson({ ...request(), ...change }));
  return HostJoinSchema.parse(await answer.json());
}

async function find(id: string): Promise<HostJoin | undefined> {
  const { joins } = HostJoinsSchema.parse(await (await admin('/api/host-joins')).json());
  return joins.find((each) => each.id === id);
}

/** As it is when it is connecting no more. */
async function join(change: object): Promise<HostJoin> {
  const { id } = await begin(change);
  await expect.poll(async () => (await find(id))?.state, { timeout: 100_000 }).not.toBe('connecting');
  return (await find(id))!;
}

const stop = (id: string) => admin(`/api/host-joins/${id}`, { method: 'DELETE' });
const fingerprint = () =>
  spawnSync('ssh-keygen', ['-lf', '-'], { input: sshd.hostKey, encoding: 'utf8' }).stdout.split(' ')[1]!;
const knownHosts = () => path.join(homeFolder, 'known_hosts');
const atHost = () => readdirSync(path.join(sshd.ownFolder, 'lib'));

/** Arguments and environments of all processes of this machine. */
function readProcesses(): string {
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return ''; // it has ended
    }
  };
  const pids = readdirSync('/proc').filter((each) => /^\d+$/.test(each));
  return pids.flatMap((pid) => [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)]).join('\n');
}

test('an unknown host is shown to the person before anything secret is sent, and again if its key is not the one they confirmed', async () => {
  const unknown = await join({});
  expect(unknown).toMatchObject({
    state: 'unknown-key',
    target: `root@127.0.0.1:${port}`,
    hostKey: { type: 'ED25519', fingerprint: fingerprint() },
  });
  const other = await join({ hostKey: `SHA256:${'x'.repeat(43)}` });
  expect(other).toMatchObject({ state: 'unknown-key', hostKey: { fingerprint: fingerprint() } });
  expect(existsSync(knownHosts())).toBe(false);
});

test('once confirmed, a host joins by a key with a passphrase, and leaves when it is stopped', async () => {
  const key = readKey(lockedKey);
  const { id } = await begin({ login: { kind: 'key', key, passphrase }, hostKey: fingerprint() });
  const seen: string[] = [];
  const isConnecting = async () => {
    seen.push(readProcesses());
    return (await find(id))!.state === 'connecting';
  };
  await expect.poll(isConnecting, { timeout: 100_000 }).toBe(false);
  expect(await find(id)).toMatchObject({ state: 'joined', isHeld: true, reason: null });
  expect((await find(id))!.lines).toEqual([
    `connecting to root@127.0.0.1:${port}`,
    expect.stringMatching(/^sending HTTP-AE, /),
    expect.stringMatching(/^joined through a tunnel after /),
  ]);
  expect(it.controller.agents.isConnected('lab-1')).toBe(true);
  expect(seen.some((text) => text.includes('http-ae-hosts'))).toBe(true);
  for (const secret of [passphrase, key.split('\n')[3]!]) expect(seen.join('\n')).not.toContain(secret);
  expect(readFileSync(knownHosts(), 'utf8')).toContain(sshd.hostKey.split(' ')[1]);

  expect((await stop(id)).status).toBe(204);
  expect(await find(id)).toBeUndefined();
  await expect.poll(() => it.controller.agents.isConnected('lab-1')).toBe(false);
});

test('a host joins by a password, which no process has in its arguments or its environment', async () => {
  const joined = await join({});
  expect(joined).toMatchObject({ state: 'joined', isHeld: true });
  expect(readProcesses()).not.toContain(password);
  expect((await admin('/api/host-joins', postJson({ ...request(), port: 1 }))).status).toBe(409);
  await stop(joined.id);
  await expect.poll(() => it.controller.agents.isConnected('lab-1')).toBe(false);
});

test('what is wrong with a login is said with what to do', async () => {
  const reasonOf = async (change: object) => (await join(change)).reason;
  const byKey = (key: string, more = {}) => ({ login: { kind: 'key', key, ...more } });
  expect(await reasonOf({ login: { kind: 'password', password: 'wrong' } })).toBe(
    'it does not let "root" in with this password. Correct user or password',
  );
  expect(await reasonOf(byKey(readKey(sshd.foreignKey)))).toContain('it does not let "root" in with this key. Add the');
  const opening = 'the passphrase does not open the key';
  expect(await reasonOf(byKey(readKey(lockedKey)))).toContain(opening);
  expect(await reasonOf(byKey(readKey(lockedKey), { passphrase: 'wrong' }))).toContain(opening);
  expect(await reasonOf(byKey('-----BEGIN X-----\nnone\n-----END X-----'))).toContain('ssh cannot read the key');
  expect(await reasonOf({ port: await findFreePort() })).toContain('no sshd listens at root@127.0.0.1:');
});

test('one that is stopped on its way leaves nothing at the host, and its token is revoked', async () => {
  const { id } = await begin({ name: 'lab-2' });
  await expect.poll(async () => (await find(id))!.lines.join()).toContain('sending HTTP-AE');
  await stop(id);
  expect(await find(id)).toMatchObject({ state: 'failed', reason: 'stopped' });
  expect((await find(id))!.lines.slice(-1)).toEqual(['removing what it has of HTTP-AE']);
  expect(readdirSync(path.join(sshd.ownFolder, 'lib', 'http-ae-hosts'))).toHaveLength(1);
  const { rows } = await it.controller.pool.query("select from token where scope = 'agent' and revoked_at is null");
  expect(rows).toEqual([]);
});

test('a changed key of a host is refused, with what to do', async () => {
  writeFileSync(knownHosts(), `[127.0.0.1]:${port} ${readKey(`${sshd.foreignKey}.pub`)}`);
  const changed = await join({ hostKey: fingerprint() });
  expect(changed).toMatchObject({ state: 'failed', hostKey: null });
  expect(changed.reason).toContain('its host key is not the one that the Controller’s machine knows');
  expect(changed.reason).toContain(`ssh-keygen -f '${knownHosts()}' -R '[127.0.0.1]:${port}'`);
});

test('nothing secret is in the database, the log or a file; the audit log has who, where and the outcome', async () => {
  const { pool } = it.controller;
  const { rows: tables } = await pool.query<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const dump: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select each::text as text from ${name} each`);
    dump.push(...rows.map(({ text }) => text));
  }
  const all = [...dump, ...logged, await (await admin('/api/host-joins')).text()].join('\n');
  expect(all).toContain('ssh-login-ended');
  for (const secret of [
    password,
    JSON.stringify(password).slice(1, -1),
    passphrase,
    readKey(lockedKey).split('\n')[3]!,
  ])
    expect(all).not.toContain(secret);
  expect(readdirSync(temporaryFolder).filter((each) => each.startsWith('hae-ssh-'))).toEqual([]);
  expect(readdirSync(homeFolder)).toEqual(['known_hosts']);
  const { rows } = await pool.query(
    "select actor, subject, details from audit_entry where action = 'ssh-login-ended' order by id",
  );
  const address = `root@127.0.0.1:${port}`;
  expect(rows[2]).toMatchObject({ subject: 'lab-1', details: { address, outcome: 'joined', service: false } });
  expect(rows.at(-1)).toMatchObject({ subject: 'lab-1', details: { address, outcome: 'failed' } });
  expect(atHost()).toEqual(['http-ae-hosts']);
});
