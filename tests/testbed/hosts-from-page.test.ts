import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { password, usePageLogins } from './support/page-logins.ts';

// The API against a real sshd on the loopback interface, by the ssh of this machine.

const logins = usePageLogins('by-password');

test('an unknown host is shown to the person before anything secret is sent, and again if its key is not the one they confirmed', async () => {
  const { fingerprint, target } = logins;
  const unknown = await logins.join();
  expect(unknown).toMatchObject({ state: 'unknown-key', target, hostKey: { type: 'ED25519', fingerprint } });
  const other = await logins.join({ hostKey: `SHA256:${'x'.repeat(43)}` });
  expect(other).toMatchObject({ state: 'unknown-key', hostKey: { fingerprint } });
  expect(existsSync(logins.knownHosts)).toBe(false);
});

test('once confirmed, a host joins by a password, which no process has in arguments or environment', async () => {
  const { join, processes } = await logins.watch({ hostKey: logins.fingerprint });
  expect(join).toMatchObject({ state: 'joined', isHeld: true, reason: null });
  expect(join.lines).toEqual([
    `connecting to ${logins.target}`,
    expect.stringMatching(/^sending HTTP-AE, /),
    expect.stringMatching(/^joined through a tunnel after /),
  ]);
  expect(logins.it.controller.agents.isConnected('by-password')).toBe(true);
  expect(processes).toContain('http-ae-hosts');
  expect(processes).not.toContain(password);
  expect(readFileSync(logins.knownHosts, 'utf8')).toContain(logins.sshd.hostKey.split(' ')[1]);
  await logins.end(join);
  expect(await logins.find(join.id)).toBeUndefined();
});

test('a wrong password and a changed key of a host are refused, with what to do', async () => {
  const { reason } = await logins.join({ login: { kind: 'password', password: 'wrong' } });
  expect(reason).toBe('it does not let "root" in with this password. Correct user or password');

  writeFileSync(
    logins.knownHosts,
    `[127.0.0.1]:${logins.port} ${readFileSync(`${logins.sshd.foreignKey}.pub`, 'utf8')}`,
  );
  const changed = await logins.join({ hostKey: logins.fingerprint });
  expect(changed).toMatchObject({ state: 'failed', hostKey: null });
  expect(changed.reason).toContain('its host key is not the one that the Controller’s machine knows');
  expect(changed.reason).toContain(`ssh-keygen -f '${logins.knownHosts}' -R '[127.0.0.1]:${logins.port}'`);
});

test('no password is in the database, the log or a file; the audit log has who, where and the outcome', async () => {
  const traces = await logins.readTraces();
  expect(traces).toContain('ssh-login-ended');
  for (const secret of [password, JSON.stringify(password).slice(1, -1)]) expect(traces).not.toContain(secret);
  const { rows } = await logins.it.controller.pool.query<{ details: { outcome: string } }>(
    "select details from audit_entry where action = 'ssh-login-ended' order by id",
  );
  expect(rows[0]!.details).toEqual({ address: logins.target, outcome: 'unknown-key' });
  expect(rows[2]!.details).toEqual({ address: logins.target, outcome: 'joined', service: false });
  expect(rows.slice(3).map(({ details }) => details.outcome)).toEqual(['failed', 'failed']);
});
