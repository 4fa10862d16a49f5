import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { startSshd, type Sshd } from './support/start-sshd.ts';

// A real sshd on the loopback interface, and inventories that do harm where a name is more than a name.

const resources = new AsyncDisposableStack();
let folder: string;
let ports: { usual: number; hanging: number };
let usual: Sshd;
let hanging: Sshd;
/** What hostile names would make. */
let mark: string;
afterAll(() => resources.disposeAsync());

beforeAll(async () => {
  folder = resources.use(await makeTemporaryFolder()).path;
  mark = path.join(folder, 'mark');
  const start = async (name: string, port: number, settings: string[] = []) =>
    resources.use(
      await startSshd({ enter: [], address: '127.0.0.1', port, folder: path.join(folder, name), settings }),
    );
  ports = { usual: await findFreePort(), hanging: await findFreePort() };
  usual = await start('usual', ports.usual);
  hanging = await start('hanging', ports.hanging, ['ForceCommand sleep 600']);
});

type Variables = Record<string, string | number>;

async function askStatus(hosts: Record<string, Variables>) {
  const inventory = path.join(folder, 'hosts.yaml');
  await writeFile(inventory, JSON.stringify({ all: { hosts } }));
  return runCli(['hosts', 'status', '--json', '--inventory', inventory], { HTTP_AE_HOME: folder, HOME: folder });
}

const StatesSchema = z.object({
  hosts: z.array(z.looseObject({ name: z.string(), agent: z.string(), reason: z.string().nullable() })),
});

test.for([
  ['-oProxyCommand=touch MARK', {}],
  ['-oProxyCommand=touch MARK', { ansible_host: '127.0.0.1' }],
  ['$(touch MARK)', {}],
  ['`touch\tMARK`', {}],
  [`a'; touch MARK; '`, {}],
  ['a b', {}],
  ['a', { ansible_host: '-oProxyCommand=touch${IFS}MARK' }],
  ['a', { ansible_host: 'x@$(touch${IFS}MARK)' }],
  ['a', { ansible_host: '127.0.0.1', ansible_user: '-oProxyCommand=touch${IFS}MARK' }],
  ['a', { ansible_host: '127.0.0.1', ansible_user: '|touch${IFS}MARK' }],
  ['a', { ansible_host: '127.0.0.1', ansible_port: '22 -oProxyCommand=touch' }],
  ['a', { ansible_host: '127.0.0.1', ansible_ssh_extra_args: '-v 127.0.0.1 touch MARK' }],
] as const)('a host %j with %j is refused before anything is run', async ([name, variables]) => {
  // By which ssh has the shell run what is in an address, before its version 9.6.
  const config = await usual.configOf({ settings: ['ProxyCommand nc %h %p # %r'] });
  const withMark = (text: string) => text.replaceAll('MARK', mark);
  const own = Object.fromEntries(Object.entries<string>(variables).map(([key, value]) => [key, withMark(value)]));
  const result = await askStatus({
    [withMark(name)]: { ansible_port: ports.usual, ansible_ssh_common_args: `-F ${config}`, ...own },
  });
  expect(result.stderr).toMatch(/hosts\.yaml.*(?:must|no address)/);
  expect([result.exitCode, result.stdout, existsSync(mark)]).toEqual([2, '', false]);
});

test('odd names with an address are only names at the host', async () => {
  const config = await usual.configOf();
  const names = [`it's "one"; touch ${mark}`, `$(touch ${mark})`, `\`touch ${mark}\` %n \\`, 'Büro 1'];
  const at = { ansible_host: '127.0.0.1', ansible_port: ports.usual, ansible_ssh_common_args: `-F ${config}` };
  const result = await askStatus(Object.fromEntries(names.map((name) => [name, at])));
  const { hosts } = StatesSchema.parse(JSON.parse(result.stdout));
  expect(hosts.map(({ name, agent, reason }) => [name, agent, reason])).toEqual(
    names.map((name) => [name, 'none', null]),
  );
  expect([result.exitCode, existsSync(mark)]).toEqual([0, false]);
});

test('keys that do not fit, and a host that hangs after the login, are reported in a sentence each', async () => {
  const name = `[127.0.0.1]:${ports.usual}`;
  let files = 0;
  const knownAs = async (line: string) => {
    const knownHosts = path.join(folder, `known-${files++}`);
    await writeFile(knownHosts, `${line}\n`);
    return usual.configOf({ knownHosts });
  };
  const oddKey = path.join(folder, 'odd-key');
  await writeFile(oddKey, '-----BEGIN OPENSSH PRIVATE KEY-----\nbm90IGEga2V5\n-----END OPENSSH PRIVATE KEY-----\n', {
    mode: 0o600,
  });
  const configs = {
    changed: await knownAs(`${name} ${hanging.hostKey}`),
    revoked: await knownAs(`@revoked ${name} ${usual.hostKey}`),
    'of-no-known-type': await knownAs(`${name} ssh-future AAAAC3NzaC1lZDI1NTE5AAAAIA==`),
    'of-no-common-type': await usual.configOf({ settings: ['HostKeyAlgorithms rsa-sha2-512'] }),
    'odd-own-key': await usual.configOf({ key: oddKey }),
    hanging: await hanging.configOf(),
  };
  const result = await askStatus(
    Object.fromEntries(
      Object.entries(configs).map(([host, config]) => [
        host,
        {
          ansible_host: '127.0.0.1',
          ansible_port: host === 'hanging' ? ports.hanging : ports.usual,
          ansible_ssh_common_args: `-F ${config}`,
        },
      ]),
    ),
  );
  const { hosts } = StatesSchema.parse(JSON.parse(result.stdout));
  const reasons = new Map(hosts.map(({ name: host, reason }) => [host, reason]));
  const words = {
    changed: 'its host key is not the one that this machine knows. Somebody may be in between',
    revoked: 'its host key is revoked in known_hosts of this machine',
    'of-no-known-type': 'its host key is unknown here. Log in once by',
    'of-no-common-type': 'no algorithm in common (no matching host key type found. Their offer:',
    'odd-own-key': 'a key of yours is none that the ssh of this machine can read',
    hanging: 'it gave no answer within 60 s',
  };
  for (const [host, expected] of Object.entries(words)) expect(reasons.get(host), host).toContain(expected);
  expect(result.exitCode).toBeGreaterThan(0);
});
