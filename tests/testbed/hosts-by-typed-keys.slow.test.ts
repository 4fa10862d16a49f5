import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { usePageLogins } from './support/page-logins.ts';

// As hosts-from-page.test.ts, by keys, and what ends early.

const passphrase = 'Batterie Heftklammer $HOME';
const logins = usePageLogins('by-key');
let lockedKey: string;
beforeAll(() => {
  const file = path.join(logins.folder, 'locked-key');
  cpSync(logins.sshd.key, file);
  spawnSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', passphrase, '-f', file]);
  lockedKey = readKey(file);
});

const readKey = (file: string) => readFileSync(file, 'utf8');
const byKey = (key: string, more: object = {}) => ({ login: { kind: 'key', key, ...more } });

test('a host joins by a key with a passphrase, of which no process has anything in arguments or environment, and no trace is left', async () => {
  const { join, processes } = await logins.watch({ ...byKey(lockedKey, { passphrase }), hostKey: logins.fingerprint });
  expect(join).toMatchObject({ state: 'joined', isHeld: true, reason: null });
  await logins.end(join);
  const traces = await logins.readTraces();
  for (const secret of [passphrase, lockedKey.split('\n')[3]!])
    for (const text of [processes, traces]) expect(text).not.toContain(secret);
});

test('what is wrong with a key, a passphrase or a port is said with what to do', async () => {
  const reasonOf = async (change: object) => (await logins.join(change)).reason;
  const { foreignKey } = logins.sshd;
  expect(await reasonOf(byKey(readKey(foreignKey)))).toContain('it does not let "root" in with this key. Add the');
  const opening = 'the passphrase does not open the key';
  expect(await reasonOf(byKey(lockedKey))).toContain(opening);
  expect(await reasonOf(byKey(lockedKey, { passphrase: 'wrong' }))).toContain(opening);
  expect(await reasonOf(byKey('-----BEGIN X-----\nnone\n-----END X-----'))).toContain('ssh cannot read the key');
  expect(await reasonOf({ port: await findFreePort() })).toContain('no sshd listens at root@127.0.0.1:');
});

test('one that is stopped on its way leaves nothing at the host, and its token is revoked', async () => {
  const join = await logins.begin({ name: 'stopped' });
  await expect.poll(async () => (await logins.find(join.id))!.lines.join()).toContain('sending HTTP-AE');
  await logins.end(join);
  expect(await logins.find(join.id)).toMatchObject({ state: 'failed', reason: 'stopped' });
  expect((await logins.find(join.id))!.lines.slice(-1)).toEqual(['removing what it has of HTTP-AE']);
  // That of the other host.
  expect(readdirSync(path.join(logins.sshd.ownFolder, 'lib', 'http-ae-hosts'))).toHaveLength(1);
  const { rows } = await logins.it.controller.pool.query(
    "select from token where scope = 'agent' and revoked_at is null",
  );
  expect(rows).toEqual([]);
});
